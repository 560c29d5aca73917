import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflate } from "node:zlib";
import type { Sides } from "./sides.ts";

const signature = Buffer.from("\u0089PNG\r\n\u001A\n", "latin1");
/** Behind the signature: the length, type, 13 bytes and CRC of IHDR. */
const headerStart = 8;

/** Section 11.2.1: samples of a pixel for each colour type, and the bits that a sample may have. */
const colourTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const indexed = 3;
/** Section 5.6: what stands behind IHDR. Colours by number need a palette. */
const withPalette = /^PLTE (IDAT )+IEND$/;
const withoutPalette = /^(PLTE )?(IDAT )+IEND$/;

/** Section 8.1: the pixels of each pass, from where and how far apart, across and down. */
const interlacedPasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const onePass = [[0, 0, 1, 1]] as const;

/** Section 9.2: filters 0 to 4. */
const lastFilter = 4;

/** Rows of as many bytes each, which begin with the row's filter (section 7.2). */
type Rows = { count: number; bytes: number };
type Chunk = { type: string; data: Buffer; isIntact: boolean };

/** What is read of a PNG (W3C "Portable Network Graphics", third edition). @returns null of what is none */
export function readPngSides(bytes: Uint8Array): Sides | null {
  const buffer = asBuffer(bytes);
  if (!buffer.subarray(0, headerStart).equals(signature)) return null;
  const [header] = chunksOf(buffer);
  if (header?.type !== "IHDR" || header.data.length !== 13) return null;
  return { widthPixels: header.data.readUInt32BE(0), heightPixels: header.data.readUInt32BE(4) };
}

/** Whether a PNG has an end, and the chunks that a decoder needs are intact and hold all pixels. Inflates no more than these. */
export async function isWholePng(bytes: Uint8Array): Promise<boolean> {
  const [header, ...chunks] = chunksOf(asBuffer(bytes));
  const rows = header?.isIntact === true ? rowsOf(header.data) : null;
  if (header === undefined || rows === null) return false;
  // Whoever does not know a chunk in lower case passes it over (section 5.4).
  const critical = chunks.filter(({ type }) => /^[A-Z]/.test(type));
  if (!critical.every(({ isIntact }) => isIntact)) return false;
  const order = critical.map(({ type }) => type).join(" ");
  if (!(header.data[9] === indexed ? withPalette : withoutPalette).test(order)) return false;
  const [palette] = critical;
  if (palette?.type === "PLTE" && !isPalette(palette.data)) return false;
  // Nothing comes between them (section 5.6).
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  const last = chunks.findLastIndex(({ type }) => type === "IDAT");
  const pixels = chunks.slice(first, last + 1);
  if (!pixels.every(({ type }) => type === "IDAT")) return false;
  return inflatesTo(rows, Buffer.concat(pixels.map(({ data }) => data)));
}

/** Up to IEND, or to where the bytes end within a chunk. */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = headerStart; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return;
    const isIntact = crc32(bytes.subarray(at + 4, end)) === bytes.readUInt32BE(end);
    yield { type, data: bytes.subarray(at + 8, end), isIntact };
    if (type === "IEND") return;
    at = end + 4;
  }
}

/** What the pixels are when they are inflated, pass by pass; null if the header says what there is not. */
function rowsOf(header: Buffer): Rows[] | null {
  const [depth = 0, colourType = -1, compression, filter, interlacing = -1] = header.subarray(8);
  const { samples, depths } = colourTypes[colourType] ?? { samples: 0, depths: [] };
  const passes = [onePass, interlacedPasses][interlacing];
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || passes === undefined) {
    return null;
  }
  return passes.flatMap(([left, top, across, down]) => {
    const columns = Math.ceil((header.readUInt32BE(0) - left) / across);
    const count = Math.ceil((header.readUInt32BE(4) - top) / down);
    return columns > 0 ? { count, bytes: 1 + Math.ceil((columns * samples * depth) / 8) } : [];
  });
}

/** Section 11.2.2: three bytes for each of its colours, of which there are at most 256. */
function isPalette({ length }: Buffer): boolean {
  return length > 0 && length <= 3 * 256 && length % 3 === 0;
}

/** Where each row begins. @returns where the last one ends */
function* startsOf(rows: readonly Rows[]): Generator<number, number> {
  let at = 0;
  for (const { count, bytes } of rows) {
    for (let row = 0; row < count; row += 1, at += bytes) yield at;
  }
  return at;
}

async function inflatesTo(rows: readonly Rows[], deflated: Buffer): Promise<boolean> {
  const starts = startsOf(rows);
  let next = starts.next();
  let inflated = 0;
  let isWhole = false;
  const reader = new Writable({
    write(part: Buffer, _, done) {
      const end = inflated + part.length;
      for (; next.done !== true && next.value < end; next = starts.next()) {
        if ((part[next.value - inflated] ?? 0) > lastFilter) return done(new Error("no filter"));
      }
      inflated = end;
      isWhole = next.done === true && next.value <= end;
      done(isWhole ? new Error("enough") : null);
    },
  });
  // Rejects also of what is no deflated data, or cut.
  await pipeline(Readable.from([deflated]), createInflate(), reader).catch(() => undefined);
  return isWhole;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
