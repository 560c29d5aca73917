import { MalformedInput } from "../malformed-input.ts";

/**
 * How Chromium's message connection (MCS) cuts its byte stream into frames: one version byte per direction, then frames of
 * a tag byte, the body's length as a varint, and the body (google_apis/gcm/engine/connection_handler in Chromium's source).
 */
export type Frame = { readonly tag: number; readonly body: Uint8Array };

/** The first byte each side sends. */
export const mcsVersion = 41;

/** Tags Chromium knows are 0 to 15. */
const highestTag = 15;
/** The longest frame a browser sends is a login that lists everything it received; this is far beyond. */
const defaultMaxBodyBytes = 256 * 1024;

export function encodeFrame({ tag, body }: Frame): Uint8Array {
  const head = [tag];
  let length = body.byteLength;
  while (length > 0x7f) {
    head.push((length & 0x7f) | 0x80);
    length >>>= 7;
  }
  head.push(length);
  return Buffer.concat([Uint8Array.from(head), body]);
}

/**
 * Reads one direction of a connection, in chunks cut anywhere, beginning with the version byte. Memory is taken for a body
 * only after its length was found to be within bounds.
 *
 * @returns a function that takes the next chunk and gives the frames completed by it, in order
 * @throws MalformedInput on a wrong version, an unknown tag, or a length that is too large or not a varint of 32 bits
 */
export function createFrameReader(
  maxBodyBytes = defaultMaxBodyBytes,
): (chunk: Uint8Array) => Frame[] {
  let expected: "version" | "tag" | "length" | "body" = "version";
  let tag = 0;
  let length = 0;
  let lengthBits = 0;
  let body = new Uint8Array(0);
  let filled = 0;

  return (chunk) => {
    const frames: Frame[] = [];
    let at = 0;
    const complete = (): void => {
      frames.push({ tag, body });
      expected = "tag";
    };
    while (at < chunk.byteLength) {
      if (expected === "body") {
        const part = chunk.subarray(at, at + body.byteLength - filled);
        body.set(part, filled);
        filled += part.byteLength;
        at += part.byteLength;
        if (filled === body.byteLength) complete();
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (expected === "version") {
        if (byte !== mcsVersion)
          throw new MalformedInput(`version ${byte}, expected ${mcsVersion}`);
        expected = "tag";
      } else if (expected === "tag") {
        if (byte > highestTag) throw new MalformedInput(`unknown tag ${byte}`);
        tag = byte;
        length = 0;
        lengthBits = 0;
        expected = "length";
      } else {
        length += (byte & 0x7f) * 2 ** lengthBits;
        lengthBits += 7;
        const more = byte > 0x7f;
        if (length > maxBodyBytes || (more && lengthBits >= 35))
          throw new MalformedInput(`a frame of over ${maxBodyBytes} bytes`);
        if (more) continue;
        body = new Uint8Array(length);
        filled = 0;
        expected = "body";
        if (length === 0) complete();
      }
    }
    return frames;
  };
}
