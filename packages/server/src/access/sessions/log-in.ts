import { emailSchema } from "@sineta/protocol";
import type { OperatorCredentials, OperatorStore } from "../../store/port.ts";
import type { PasswordTurns } from "../operators/password-turns.ts";
import type { Passwords } from "../operators/passwords.ts";
import type { SecondFactorKind } from "../second-factors/second-factors.ts";
import type { DeviceCookies } from "./device-cookie.ts";
import type { AuditFailure } from "./log-in-audit.ts";
import type { LogInThrottle } from "./log-in-throttle.ts";
import type { Device, Sessions, StartedSession } from "./sessions.ts";

/** Which second factor of this operator was given; null if it is none. Never takes the same code twice. */
export type CheckSecondFactor = (
  operator: OperatorCredentials,
  given: string,
) => Promise<SecondFactorKind | null>;

export type LogInResult =
  | { kind: "logged-in"; operatorId: number; session: StartedSession }
  | { kind: "log-in-refused" | "second-factor-missing" | "second-factor-wrong" }
  | { kind: "too-many-attempts"; retryAfterSeconds: number };

export type LogIn = {
  /**
   * Looks at e-mail address and password, and at the second factor of whoever has one.
   * @param from with the device cookie that came along, if one did, and whether others come from the same address who
   *   cannot be told apart
   * @throws NoTurnLeft
   */
  logIn: (
    given: { email: string; password: string; secondFactor?: string | undefined },
    from: Device & { addressIsShared: boolean; deviceCookie: string | undefined },
  ) => Promise<LogInResult>;
  /** Marks a browser from which this operator has logged in, in whatever way; null if there is nobody. */
  deviceCookieFor: (operatorId: number) => Promise<string | null>;
  /**
   * Takes the operator's own turn at what is typed in a session, and counts it.
   * @param work in that turn, with what was counted
   * @throws NoTurnLeft
   */
  inSession: <Result>(
    self: { id: number; sessionId: number },
    work: (counted: ReturnType<LogInThrottle["attempt"]>) => Promise<Result>,
  ) => Promise<Result>;
};

export function createLogIn({
  operators,
  sessions,
  passwords,
  turns,
  throttle,
  deviceCookies,
  auditFailure,
  checkSecondFactor,
}: {
  operators: Pick<OperatorStore, "findByEmail" | "findById" | "rehash">;
  sessions: Sessions;
  passwords: Passwords;
  turns: PasswordTurns;
  throttle: LogInThrottle;
  deviceCookies: DeviceCookies;
  auditFailure: AuditFailure;
  checkSecondFactor: CheckSecondFactor;
}): LogIn {
  return {
    async deviceCookieFor(operatorId) {
      const operator = await operators.findById(operatorId);
      return operator === null ? null : deviceCookies.make(operator);
    },

    inSession: ({ id, sessionId }, work) =>
      turns.inside(id, async () =>
        work(throttle.attempt(String(id), { address: null, device: `session ${sessionId}` })),
      ),

    async logIn(
      { email: typed, password, secondFactor },
      { deviceCookie, addressIsShared, ...device },
    ) {
      const { address } = device;
      // What is no address is nobody's, and takes as long.
      const email = emailSchema.safeParse(typed).data ?? typed;
      const operator = await operators.findByEmail(email);
      const known = operator === null ? null : deviceCookies.read(deviceCookie ?? "", operator);
      const look = async () => {
        const attempt = throttle.attempt(email, {
          address: addressIsShared ? null : address,
          device: known,
        });
        if ("retryAfterSeconds" in attempt) return attempt;
        const hash = operator?.passwordHash ?? null;
        const { fits, outdated } = await passwords.verify(password, hash);
        return { attempt, fits, anew: fits && outdated ? await passwords.hash(password) : null };
      };
      // A browser that is known waits in no queue of strangers.
      const looked = await (operator === null || known === null
        ? turns.stranger(look)
        : turns.known(`operator ${operator.id}`, look));
      if ("retryAfterSeconds" in looked) {
        await auditFailure(operator?.email ?? null, address, "too-many-attempts");
        return { kind: "too-many-attempts", ...looked };
      }
      const { attempt, fits, anew } = looked;
      if (operator === null || !fits) {
        await auditFailure(operator?.email ?? null, address, "password");
        return { kind: "log-in-refused" };
      }
      let how = "password";
      if (operator.sealedTotpSecret !== null) {
        if (secondFactor === undefined) {
          // The first of two steps, and it was right.
          attempt.wasRight();
          return { kind: "second-factor-missing" };
        }
        const kind = await checkSecondFactor(operator, secondFactor);
        if (kind === null) {
          await auditFailure(operator?.email ?? null, address, "second-factor");
          return { kind: "second-factor-wrong" };
        }
        how = `password and ${kind}`;
      }

      attempt.wasRight();
      const { id, passwordHash: from, sealedTotpSecret } = operator;
      const isKept = anew !== null && (await operators.rehash(id, { from, to: anew }));
      const passwordHash = isKept ? anew : from;
      const current = { id, email, verified: { passwordHash, sealedTotpSecret } };
      const session = await sessions.start(current, device, how);
      // Changed while it was looked at: what was given opens nothing any more.
      if (session === null) return { kind: "log-in-refused" };
      if ("retryAfterSeconds" in session) {
        await auditFailure(email, address, "too-many-attempts");
        return { kind: "too-many-attempts", ...session };
      }
      return { kind: "logged-in", operatorId: id, session };
    },
  };
}
