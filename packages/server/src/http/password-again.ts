import type { Context } from "hono";
import type { OperatorAccess } from "../access/operators/create-access.ts";
import { NoTurnLeft } from "../access/turns.ts";
import { operatorOf } from "./credentials.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const guesses = new Set(["password-wrong", "code-wrong"]);

/**
 * Does what only the right password or code does, in the operator's own turn. A wrong one counts as an attempt to log in
 * would, from this session.
 * @param work throws `password-wrong` or `code-wrong`, as a HttpProblem, if it was none
 * @throws HttpProblem `too-many-attempts`, `passwords-busy`
 */
export async function withAttempt<Result>(
  context: Context<ProjectEnv>,
  { logIn }: Pick<OperatorAccess, "logIn">,
  work: () => Promise<Result>,
): Promise<Result> {
  return withTurn(() =>
    logIn.inSession(operatorOf(context), async (counted) => {
      if ("retryAfterSeconds" in counted) throw tooMany(counted);
      try {
        const result = await work();
        counted.wasRight();
        return result;
      } catch (error) {
        const isGuess = error instanceof HttpProblem && guesses.has(error.code);
        if (!isGuess) counted.wasRight();
        throw error;
      }
    }),
  );
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

/** For what looks at a password, or hashes one. @throws HttpProblem `passwords-busy` */
export async function withTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NoTurnLeft ? new HttpProblem("passwords-busy", undefined, 5) : error;
  }
}

export function tooMany({ retryAfterSeconds }: { retryAfterSeconds: number }): HttpProblem {
  return new HttpProblem("too-many-attempts", undefined, retryAfterSeconds);
}
