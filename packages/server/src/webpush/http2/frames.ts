/** Frames of HTTP/2 (RFC 9113, sections 4 and 6). */

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** RFC 9113, section 7. */
export const errorCodes = {
  none: 0,
  protocol: 1,
  flowControl: 3,
  frameSize: 6,
  refused: 7,
  cancel: 8,
  compression: 9,
  calm: 11,
} as const;

export const frameHeadBytes = 9;

/** What both sides take unless they say that they take more, which is not said here and not made use of. */
export const largestPayload = 16_384;

/** What ends a whole connection: the peer has broken the protocol, or our patience. */
export class ConnectionError extends Error {
  readonly code: number;
  constructor(code: (typeof errorCodes)[keyof typeof errorCodes], message: string) {
    super(message);
    this.name = "ConnectionError";
    this.code = code;
  }
}

export type FrameListener = (type: number, flag: number, stream: number, payload: Buffer) => void;

/**
 * Finds the frames in the bytes of a connection, in whatever pieces they come.
 * @throws ConnectionError for a frame that is larger than this side takes
 */
export function createFrameReader(onFrame: FrameListener): (chunk: Buffer) => void {
  /** Less than `needed` bytes together: pieces are put together once, however small they are. */
  let pieces: Buffer[] = [];
  let unread = 0;
  let needed = frameHeadBytes;

  function wholeFrameAt(bytes: Buffer, start: number): number {
    if (bytes.length - start < frameHeadBytes) return frameHeadBytes;
    const length = bytes.readUIntBE(start, 3);
    if (length > largestPayload) {
      throw new ConnectionError(errorCodes.frameSize, `a frame of ${length} bytes`);
    }
    return frameHeadBytes + length;
  }

  return (chunk) => {
    pieces.push(chunk);
    unread += chunk.length;
    if (unread < needed) return;
    const bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    let start = 0;
    for (;;) {
      needed = wholeFrameAt(bytes, start);
      const end = start + needed;
      if (end > bytes.length) break;
      const type = bytes[start + 3] ?? 0;
      const flag = bytes[start + 4] ?? 0;
      // The first bit is reserved.
      const stream = bytes.readUInt32BE(start + 5) % 2 ** 31;
      onFrame(type, flag, stream, bytes.subarray(start + frameHeadBytes, end));
      start = end;
    }
    unread = bytes.length - start;
    pieces = unread === 0 ? [] : [bytes.subarray(start)];
  };
}

/** @returns where its payload begins */
export function writeFrameHead(
  out: Buffer,
  start: number,
  { type, flag, stream, length }: { type: number; flag: number; stream: number; length: number },
): number {
  out.writeUIntBE(length, start, 3);
  out[start + 3] = type;
  out[start + 4] = flag;
  return out.writeUInt32BE(stream, start + 5);
}

/**
 * What is in a frame without its padding.
 * @throws ConnectionError if there is more padding than frame (RFC 9113, section 6.1)
 */
export function withoutPadding(flag: number, payload: Buffer): Buffer {
  if ((flag & flags.padded) === 0) return payload;
  const padding = payload[0] ?? 0;
  if (payload.length === 0 || padding >= payload.length) {
    throw new ConnectionError(errorCodes.protocol, "more padding than frame");
  }
  return payload.subarray(1, payload.length - padding);
}
