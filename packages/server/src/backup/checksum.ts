/**
 * A back-up's checksum: CRC-32 of its file, in the four bytes of the header that SQLite leaves to programs (SQLite documentation,
 * "Database File Format", "Application ID"). They count as 0. SQLite's own checks find no changed byte within a row.
 */
import { readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

const place = { at: 68, bytes: 4 };
const chunkBytes = 1_000_000;

/**
 * @param readNext reads the next bytes of the file, from its beginning on; 0 at its end
 * @returns the checksum that stands in the file (0: it has none), and the one of its bytes
 */
export function checksumsOf(readNext: (into: Buffer) => number): { stored: number; sum: number } {
  const chunk = Buffer.alloc(chunkBytes);
  let length = readNext(chunk);
  const stored = chunk.readUInt32BE(place.at);
  chunk.writeUInt32BE(0, place.at);
  let sum = 0;
  for (; length > 0; length = readNext(chunk)) sum = crc32(chunk.subarray(0, length), sum);
  return { stored, sum };
}

/** @param opened a database that is closed and whole; nothing has been read or written by this number */
export function writeChecksum(opened: number): void {
  const { sum } = checksumsOf((into) => readSync(opened, into));
  const bytes = Buffer.alloc(place.bytes);
  bytes.writeUInt32BE(sum);
  writeSync(opened, bytes, 0, bytes.length, place.at);
}
