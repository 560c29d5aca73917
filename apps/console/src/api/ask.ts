import type { Problem } from "@sineta/protocol";
import { saysSessionEnded, timesRestored } from "../session/ended.ts";

/** What the server said no with: a code of the catalogue, `server-unreachable` if it said nothing, `offline` if nothing was sent, or `HTTP <status>`. */
export type Refusal = Pick<Problem, "fields" | "messageId"> & {
  code: string;
  retryAfterSeconds?: number;
};

/** What the server said: its answer, or why not. */
export type Answer<Body> = { ok: true; body: Body } | ({ ok: false } & Refusal);

export type AskOptions = {
  /** Sent as JSON; a Blob as it is. */
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/**
 * Asks the HTTP interface, with the cookie of the session. Never rejects: a server that cannot be reached answers
 * `server-unreachable`, or `offline` where the browser had no connection to begin with.
 * @param path behind `/v1/`
 */
export async function ask<Body>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  options: AskOptions = {},
): Promise<Answer<Body>> {
  const { body, headers = {}, signal } = options;
  const wasOffline = !navigator.onLine;
  const session = timesRestored();
  try {
    const response = await fetch(`/v1/${path}`, {
      method,
      ...bodyOf(body, headers),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const said = text === "" ? null : JSON.parse(text);
    if (response.ok) return { ok: true, body: said };
    const refusal = refusalOf(response, said ?? {});
    // The operator has logged in while this was under way.
    if (saysSessionEnded(refusal.code) && timesRestored() !== session) {
      return await ask(method, path, options);
    }
    return { ok: false, ...refusal };
  } catch {
    return { ok: false, code: wasOffline ? "offline" : "server-unreachable" };
  }
}

function bodyOf(body: object | undefined, headers: Record<string, string>) {
  if (body === undefined) return { headers };
  if (body instanceof Blob) return { headers, body };
  return {
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

function refusalOf({ status, headers }: Response, problem: Partial<Problem>): Refusal {
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return {
    code: problem.code ?? `HTTP ${status}`,
    ...(problem.fields === undefined ? {} : { fields: problem.fields }),
    ...(problem.messageId === undefined ? {} : { messageId: problem.messageId }),
    ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
  };
}
