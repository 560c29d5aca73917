import { createMiddleware } from "hono/factory";
import { HttpProblem } from "./problem.ts";

/**
 * Reads a JSON body before its shape is looked at.
 * @throws HttpProblem `content-type-unsupported`, `body-too-large`, `json-malformed`
 */
export function jsonBody(maximumBytes: number) {
  return createMiddleware(async (context, next) => {
    const type = context.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== "application/json") throw new HttpProblem("content-type-unsupported");
    const length = context.req.header("Content-Length");
    try {
      if (length === undefined) {
        const body = await readAtMost(maximumBytes, context.req.raw.body);
        context.req.raw = new Request(context.req.raw, { method: context.req.method, body });
      } else if (!(Number(length) <= maximumBytes)) {
        throw new HttpProblem("body-too-large");
      }
      JSON.parse(utf8.decode(await context.req.arrayBuffer()));
    } catch (error) {
      if (error instanceof HttpProblem) throw error;
      // Not JSON, not UTF-8, or a client that went away before its end and hears no answer.
      throw new HttpProblem("json-malformed");
    }
    await next();
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Whoever sends more than this after having been answered loses the connection. */
const discardedBytes = 1024 * 1024;

async function readAtMost(
  maximumBytes: number,
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const reader = stream?.getReader();
  let bytes = 0;
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) return Buffer.concat(chunks);
    bytes += read.value.length;
    if (bytes > maximumBytes) {
      if (reader !== undefined) void discard(reader);
      throw new HttpProblem("body-too-large");
    }
    chunks.push(read.value);
  }
}

/**
 * Reads on after the answer. Cancelling would destroy the socket, and with it the answer that a client reads only
 * when it has sent its body.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      if (bytes > discardedBytes) return await reader.cancel();
    }
  } catch {
    // The client went away.
  }
}
