import type { Sides } from "./sides.ts";
import { isDecodable } from "./webp-decoder.ts";

/**
 * What is read of a WebP. `isWhole`: it holds all that it says, a picture in each of its frames, and the first one can be
 * decoded: notifications show no other.
 */
export type Webp = Sides & { isWhole: () => Promise<boolean> };

type Chunk = { type: string; data: Buffer };

/** Behind `RIFF`, the size of what follows, and `WEBP`. */
const chunksStart = 12;
const animated = 0x02;
const alpha = 0x10;

/**
 * Reads a WebP from chunk to chunk (RFC 9649, section 2).
 * @returns null of what is none, or says its sides nowhere
 */
export function readWebp(given: Uint8Array): Webp | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") {
    return null;
  }
  const first = {
    type: bytes.toString("latin1", chunksStart, chunksStart + 4),
    data: bytes.subarray(chunksStart + 8),
  };
  const sides = sidesOf(first);
  if (sides === null) return null;
  return { ...sides, isWhole: () => isWhole(bytes, sides) };
}

async function isWhole(bytes: Buffer, sides: Sides): Promise<boolean> {
  const end = 8 + bytes.readUInt32LE(4);
  const chunks = end <= bytes.length ? chunksOf(bytes.subarray(chunksStart, end)) : null;
  if (chunks === null || !isPicture(chunks, sides)) return false;
  const firstFrame = isAnimated(chunks) && chunks.find(({ type }) => type === "ANMF");
  return isDecodable(firstFrame ? stillOf(firstFrame.data) : bytes.subarray(0, end));
}

/** Null if a chunk is longer than what there is. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 8 > bytes.length) return null;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > bytes.length) return null;
    chunks.push({ type: bytes.toString("latin1", at, at + 4), data: bytes.subarray(at + 8, end) });
    // A chunk begins at an even place (section 2.3).
    at = end + (length % 2);
  }
  return chunks;
}

function isPicture(chunks: readonly Chunk[], canvas: Sides): boolean {
  if (!isAnimated(chunks)) return hasFrame(chunks, canvas);
  const frames = chunks.filter(({ type }) => type === "ANMF");
  if (frames.length === 0 || !chunks.some(({ type }) => type === "ANIM")) return false;
  return frames.every(({ data }) => isFrameWithin(canvas, data));
}

function isAnimated([first]: readonly Chunk[]): boolean {
  return first?.type === "VP8X" && ((first.data[0] ?? 0) & animated) !== 0;
}

/** A frame of an animation as a picture of its own. */
function stillOf(frame: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.write("RIFF", 0);
  head.writeUInt32LE(head.length - 8 + frame.length - 16, 4);
  head.write("WEBPVP8X", 8);
  head.writeUInt32LE(10, 16);
  head.writeUInt8(alpha, 20);
  // Both say the sides in the same way.
  frame.copy(head, 24, 6, 12);
  return Buffer.concat([head, frame.subarray(16)]);
}

/** Before its chunks a frame says where it stands, its sides, and for how long it is shown (section 2.7.1.1). */
function isFrameWithin(canvas: Sides, data: Buffer): boolean {
  if (data.length < 16) return false;
  const own = { widthPixels: data.readUIntLE(6, 3) + 1, heightPixels: data.readUIntLE(9, 3) + 1 };
  const right = 2 * data.readUIntLE(0, 3) + own.widthPixels;
  const bottom = 2 * data.readUIntLE(3, 3) + own.heightPixels;
  const fits = right <= canvas.widthPixels && bottom <= canvas.heightPixels;
  return fits && hasFrame(chunksOf(data.subarray(16)), own);
}

function hasFrame(chunks: readonly Chunk[] | null, wanted: Sides): boolean {
  const frame = chunks?.find(({ type }) => type === "VP8 " || type === "VP8L");
  const sides = frame === undefined ? null : sidesOf(frame);
  return frame !== undefined && sides !== null && isSame(sides, wanted) && isWholeFrame(frame);
}

function isSame(one: Sides, other: Sides): boolean {
  return one.widthPixels === other.widthPixels && one.heightPixels === other.heightPixels;
}

/** Whether more follows than the frame's header and, where it says how long that is, its first partition. */
function isWholeFrame({ type, data }: Chunk): boolean {
  if (type === "VP8L") return data.length > 5;
  // RFC 6386, section 9.1: 19 bits of the frame tag.
  const firstPartition = data.readUIntLE(0, 3) >> 5;
  return data.length > 10 + firstPartition;
}

/** What the header of a frame or of the canvas says; null if it is none. */
function sidesOf({ type, data }: Chunk): Sides | null {
  if (type === "VP8X" && data.length >= 10) {
    return { widthPixels: data.readUIntLE(4, 3) + 1, heightPixels: data.readUIntLE(7, 3) + 1 };
  }
  // RFC 6386, section 9.1: a key frame, and its start code.
  if (type === "VP8 " && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a) {
    if (((data[0] ?? 1) & 1) !== 0) return null;
    const [width, height] = [data.readUInt16LE(6), data.readUInt16LE(8)];
    return { widthPixels: width & 0x3fff, heightPixels: height & 0x3fff };
  }
  // RFC 9649, section 3.4: 14 bits for each side, a bit for alpha, and a version that is 0.
  if (type === "VP8L" && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    if (bits >>> 29 !== 0) return null;
    return { widthPixels: (bits & 0x3fff) + 1, heightPixels: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return null;
}
