import type { Problem } from "@sineta/protocol";

/** What the server said: its answer, or the code of what went wrong. */
export type Answer<Body> = { ok: true; body: Body } | { ok: false; code: string };

/**
 * Asks the HTTP interface, with the cookie of the session. Never rejects: a server that cannot be reached answers
 * `server-unreachable`.
 */
export async function ask<Body>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: object,
): Promise<Answer<Body>> {
  try {
    const response = await fetch(`/v1/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const said = text === "" ? null : JSON.parse(text);
    if (response.ok) return { ok: true, body: said };
    const problem: Partial<Problem> = said ?? {};
    return { ok: false, code: problem.code ?? `HTTP ${response.status}` };
  } catch {
    return { ok: false, code: "server-unreachable" };
  }
}
