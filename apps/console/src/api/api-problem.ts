import { ask, type Answer, type AskOptions, type Refusal } from "./ask.ts";

/** The server said no, or nothing: what queries and mutations reject with. */
export class ApiProblem extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** The body of an answer. @throws ApiProblem */
export async function bodyOf<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const said = await answer;
  if (said.ok) return said.body;
  const { ok: _, ...refusal } = said;
  throw new ApiProblem(refusal);
}

/** Reads, for a query. @throws ApiProblem */
export function read<Body>(path: string, options: AskOptions = {}): Promise<Body> {
  return bodyOf(ask<Body>("GET", path, options));
}

/** The code of what went wrong; `unexpected` for what did not come from the server. */
export function codeOf(error: unknown): string {
  return error instanceof ApiProblem ? error.refusal.code : "unexpected";
}
