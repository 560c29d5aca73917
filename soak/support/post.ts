import { problemSchema, type Problem } from "@sineta/protocol";
import type { Scene } from "./scene.ts";

/** Posts JSON with the scene's API key. @param path below the project, such as `messages` */
export function post(
  { ask }: Pick<Scene, "ask">,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The problem that an answer is; rejects if it is none. */
export async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text();
  const problem = problemSchema.safeParse(JSON.parse(text));
  if (!problem.success) throw new Error(`no problem, but ${answer.status} ${text}`);
  return problem.data;
}
