import type { Context } from "hono";
import type { OperatorAccess } from "../access/operators/create-access.ts";
import { operatorOf } from "./credentials.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";
import { tooMany, withTurn } from "./session.ts";

const guesses = new Set(["password-wrong", "code-wrong"]);

/**
 * Does what only the right password or code does. A wrong one counts as an attempt to log in would, from this session.
 * @param work throws `password-wrong` or `code-wrong`, as a HttpProblem, if it was none
 * @throws HttpProblem `too-many-attempts`, `passwords-busy`
 */
export async function withAttempt<Result>(
  context: Context<ProjectEnv>,
  { logIn }: Pick<OperatorAccess, "logIn">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { id, sessionId } = operatorOf(context);
  const attempt = await logIn.attemptInSession(id, sessionId);
  if ("retryAfterSeconds" in attempt) throw tooMany(attempt);
  try {
    const result = await withTurn(work);
    await attempt.takeBack();
    return result;
  } catch (error) {
    const isGuess = error instanceof HttpProblem && guesses.has(error.code);
    if (!isGuess) await attempt.takeBack();
    throw error;
  }
}

/** Of the operator who asks. @throws HttpProblem `password-wrong` */
export async function demandPassword(
  context: Context<ProjectEnv>,
  { operators }: Pick<OperatorAccess, "operators">,
  password: string,
): Promise<void> {
  const fits = await operators.hasPassword(operatorOf(context).id, password);
  if (!fits) throw new HttpProblem("password-wrong");
}
