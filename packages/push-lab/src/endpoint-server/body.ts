import type { Readable } from "node:stream";

/**
 * Reads at most `mostBytes` of a body: resolves as soon as there are as many, and what still comes passes by unread. Rejects
 * where the sender goes away in the middle.
 */
export async function readBody(readable: Readable, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let left = mostBytes;
  await new Promise<void>((resolve, reject) => {
    readable.on("data", (chunk: Uint8Array) => {
      if (left > 0) chunks.push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) resolve();
    });
    readable.once("end", resolve);
    readable.once("error", reject);
    readable.once("close", () => {
      reject(new Error("the sender went away"));
    });
  });
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
