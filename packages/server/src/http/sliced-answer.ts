import { ServerResponse, type IncomingMessage } from "node:http";

/** The largest part of an unread answer that TLS keeps encrypted: four TLS records (RFC 8446, section 5.1). */
export const sliceBytes = 64 * 1024;

/**
 * Writes a large answer slice by slice. Each slice waits until the operating system has taken the one before it. TLS
 * encrypts all that it is handed at once: without slices, each unread answer would lie in memory as a whole.
 */
export class SlicedAnswer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(done?: () => void): this;
  override end(body: unknown, done?: () => void): this;
  override end(body: unknown, encoding: BufferEncoding, done?: () => void): this;
  override end(body?: unknown, encoding?: BufferEncoding | (() => void), done?: () => void): this {
    const bytes = typeof body === "string" ? inBytes(body) : body;
    if (bytes instanceof Uint8Array && bytes.length > sliceBytes && encoding === undefined) {
      this.#writeFrom(bytes, 0);
      return this;
    }
    return typeof encoding === "string"
      ? super.end(body, encoding, done)
      : super.end(body, encoding);
  }

  #writeFrom(bytes: Uint8Array, start: number): void {
    for (let from = start; ; from += sliceBytes) {
      const next = from + sliceBytes;
      const slice = bytes.subarray(from, next);
      if (next >= bytes.length) {
        super.end(slice);
        return;
      }
      if (!super.write(slice)) {
        this.once("drain", () => this.#writeFrom(bytes, next));
        return;
      }
    }
  }
}

/** Encodes a text that may be longer than a slice. Each UTF-16 unit takes at most three bytes in UTF-8. */
function inBytes(text: string): string | Uint8Array {
  return text.length * 3 > sliceBytes ? Buffer.from(text) : text;
}
