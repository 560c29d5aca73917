import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { ConnectOptions } from "../webpush/connect.ts";

export type Answer = {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};
/** The system's or Node's code of what went wrong, such as ECONNREFUSED. */
export type NoAnswer = { readonly kind: "none"; readonly why: string };

export const timedOut = "timed out";

const mostBytes = 64 * 1024;

/**
 * Makes one request. It follows no redirect, and takes any certificate: check-certificate.ts looks at that. Never rejects.
 * @param options.body sent by POST; without it the request is a GET
 */
export async function ask(
  url: URL,
  {
    headers = {},
    body,
    signal,
    connect = {},
  }: {
    headers?: Record<string, string>;
    body?: Uint8Array;
    signal: AbortSignal;
    connect?: ConnectOptions;
  },
): Promise<Answer | NoAnswer> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const { lookup } = connect;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, {
        method: body === undefined ? "GET" : "POST",
        agent: false,
        signal,
        rejectUnauthorized: false,
        headers: { "User-Agent": "Sineta", ...headers },
        ...(lookup === undefined ? {} : { lookup }),
      })
        .once("response", resolve)
        // After an answer 101, Node emits this event alone (Node's documentation, event "upgrade").
        .once("close", () => reject(new Error("closed without an answer")))
        // A server that refuses the body ends the connection behind its answer.
        .on("error", reject)
        .end(body);
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) break;
    }
    const { statusCode = 0 } = response;
    const text = Buffer.concat(chunks).toString("utf8");
    return { kind: "answer", status: statusCode, headers: response.headers, text };
  } catch (error) {
    return { kind: "none", why: signal.aborted ? timedOut : codeOf(error) };
  }
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
