import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { isNestedAtMost, limits, type HttpErrorCode } from "@sineta/protocol";
import { withoutNulls } from "../without-nulls.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/** What reading a body needs of a request's context. */
type Asked = Pick<Context<ProjectEnv>, "req" | "get">;

type Options = {
  /** Whether there may be no body, and no Content-Type. */
  optional?: boolean;
  /** Checks a body that does not nest too deep, and returns what the route reads in its place. */
  rewrite?: (value: unknown, text: string) => unknown;
};

/** No body of a route nests deeper. */
const deepest = 1 + limits.dataDepth;

/**
 * Reads a JSON body before its shape is looked at. It treats null in an optional field as absent.
 * @param schema of the body
 * @throws HttpProblem `content-type-unsupported`, `charset-unsupported`, `json-malformed`, and what `readBody` throws
 */
export function jsonBody(
  maximumBytes: number,
  schema: z.ZodType,
  { optional = false, rewrite = (value) => value }: Options = {},
) {
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const type = context.req.header("Content-Type");
    if (optional && type === undefined) {
      const body = await readAtMost(maximumBytes, context.req.raw.body);
      if (body.length > 0) throw new HttpProblem("content-type-unsupported");
      // Whoever comes next may look whether there is one.
      context.req.raw = new Request(context.req.raw, { method: context.req.method, body });
      return next();
    }
    if (type === undefined || !jsonType.test(type)) {
      throw new HttpProblem("content-type-unsupported");
    }
    const body = await readBody(context, maximumBytes, "json-malformed");
    demandUtf8(type, body);
    const { text, value } = parsed(body);
    const read = isNestedAtMost(value, deepest)
      ? rewrite(text.includes("null") ? withoutNulls(value, schema) : value, text)
      : // The schema refuses it. What looks into it and writes it calls itself for each level.
        value;
    // Hono would make a Response of what it has read, to read that as text.
    const cached = Promise.resolve(read === value ? text : JSON.stringify(read));
    Object.assign(context.req.bodyCache, { text: cached });
    // What comes next knows few parameters, and needs none.
    if (type !== "application/json")
      context.req.raw.headers.set("Content-Type", "application/json");
    await next();
  });
}

function parsed(body: Uint8Array): { text: string; value: unknown } {
  try {
    const text = utf8.decode(body);
    return { text, value: JSON.parse(text) };
  } catch {
    // Not JSON, or not UTF-8.
    throw new HttpProblem("json-malformed");
  }
}

/** What the body is declared as, without parameters and in lower case. */
export function mediaTypeOf(context: Asked): string | undefined {
  return context.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
}

const token = "[!#$%&'*+.^`|~\\w-]+";
const parameter = `(${token})[ \t]*=[ \t]*(${token}|"(?:[^"\\\\]|\\\\.)*")`;
/** As RFC 9110, section 5.6.6, has it: there may be nothing between two semicolons. Blanks around `=` are allowed here, too. */
const jsonType = RegExp(`^application/json[ \t]*(?:;[ \t]*(?:${parameter}[ \t]*)?)*$`, "i");
const parameters = RegExp(`;[ \t]*${parameter}`, "g");

const utf8Names = new Set(["", "utf-8", "utf8"]);

/** @throws HttpProblem `charset-unsupported` */
function demandUtf8(type: string, body: Uint8Array): void {
  const named = Array.from(type.matchAll(parameters)).find(
    ([, name]) => name?.toLowerCase() === "charset",
  );
  const charset = (named?.[2] ?? "").replaceAll('"', "").trim().toLowerCase();
  if (utf8Names.has(charset) || readsAsUtf8(charset, body)) return;
  throw unsupported("charset-unsupported", charset);
}

/** Many charsets have ASCII within them. */
function readsAsUtf8(charset: string, body: Uint8Array): boolean {
  try {
    return new TextDecoder(charset).decode(body) === utf8.decode(body);
  } catch {
    // Unknown here, or the body is not UTF-8.
    return false;
  }
}

/** @throws HttpProblem `content-encoding-unsupported` */
function demandUncompressed(context: Asked): void {
  const encoding = context.req.header("Content-Encoding")?.trim().toLowerCase() ?? "";
  if (!["", "identity"].includes(encoding)) {
    throw unsupported("content-encoding-unsupported", encoding);
  }
}

const namedCharacters = 40;

/** The problem of an encoding or charset that the server does not read. Its detail names what the client sent. */
function unsupported(code: HttpErrorCode, name: string): HttpProblem {
  const named = JSON.stringify(name.slice(0, namedCharacters));
  return new HttpProblem(code, undefined, undefined, undefined, `It is ${named}.`);
}

/** A body may take its time, in which its sender was removed or its key revoked. @throws HttpProblem */
async function demandStillMay(context: Asked): Promise<void> {
  // Where no guard stands before it, there is none to ask.
  const refusalNow: ProjectEnv["Variables"]["refusalNow"] | undefined = context.get("refusalNow");
  const refusal = refusalNow === undefined ? null : await refusalNow();
  if (refusal !== null) throw new HttpProblem(refusal);
}

/**
 * The whole body of a request, whatever its type.
 * @param brokenOff the code for a client that goes away before the end of its body, and hears no answer
 * @throws HttpProblem `content-encoding-unsupported`, `body-too-large`, `brokenOff`; `api-key-invalid`, `session-ended` or `role-missing` if the caller has lost
 *   its right while the body came
 */
export async function readBody(
  context: Asked,
  maximumBytes: number,
  brokenOff: HttpErrorCode,
): Promise<Uint8Array<ArrayBuffer>> {
  demandUncompressed(context);
  const body = await readWhole(context, maximumBytes).catch((error: unknown) => {
    throw error instanceof HttpProblem ? error : new HttpProblem(brokenOff);
  });
  await demandStillMay(context);
  return body;
}

/** @throws HttpProblem `body-too-large`; the stream's own error if the client goes away */
async function readWhole(context: Asked, maximumBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const length = context.req.header("Content-Length");
  if (length === undefined) return readAtMost(maximumBytes, context.req.raw.body);
  if (!(Number(length) >= 0 && Number(length) <= maximumBytes)) {
    throw new HttpProblem("body-too-large");
  }
  const body = new Uint8Array(await context.req.raw.arrayBuffer());
  // A server's parser holds a client to the length that it names.
  if (body.length > maximumBytes) throw new HttpProblem("body-too-large");
  return body;
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
