import type { Vault } from "../../secrets/vault.ts";
import type { Store } from "../../store/port.ts";
import { createPasskeys, type Passkeys } from "../passkeys/passkeys.ts";
import { relyingPartyOf } from "../passkeys/relying-party.ts";
import { createSecondFactors, type SecondFactors } from "../second-factors/second-factors.ts";
import { createDeviceCookies } from "../sessions/device-cookie.ts";
import { createLogInAudit } from "../sessions/log-in-audit.ts";
import { createLogInThrottle } from "../sessions/log-in-throttle.ts";
import { createLogIn, type LogIn } from "../sessions/log-in.ts";
import { createSessions, type Sessions } from "../sessions/sessions.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { createOperators, type Operators } from "./operators.ts";
import { createPasswordTurns } from "./password-turns.ts";
import { createPasswords, type PasswordWork } from "./passwords.ts";

/** All there is to operators: who they are, how they come in, and where they are. */
export type OperatorAccess = {
  operators: Operators;
  invitations: Invitations;
  sessions: Sessions;
  logIn: LogIn;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
};

/**
 * @param deviceSecret 32 bytes that stay the same when the server starts again
 * @param passwordWork how much work a password's hash takes. Default: OWASP's
 * @param consoleUrl under which the console is reached, and whose host passkeys are bound to
 */
export function createOperatorAccess({
  store,
  deviceSecret,
  passwordWork,
  vault,
  consoleUrl,
  consoleOrigins,
  randomBytes,
  now,
}: {
  store: Pick<Store, "operators" | "sessions" | "secondFactors" | "passkeys" | "audit">;
  deviceSecret: Uint8Array;
  passwordWork?: PasswordWork;
  vault: Pick<Vault, "seal" | "open">;
  consoleUrl: string;
  consoleOrigins: ReadonlySet<string>;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): OperatorAccess {
  const passwords = createPasswords({
    randomBytes,
    ...(passwordWork === undefined ? {} : { work: passwordWork }),
  });
  const turns = createPasswordTurns();
  const operators = createOperators({ store: store.operators, passwords, randomBytes, now });
  const sessions = createSessions({ store: store.sessions, randomBytes, now });
  const invitations = createInvitations({
    store: store.operators,
    hashNew: operators.hashNew,
    turns,
    randomBytes,
    now,
  });
  const relyingParty = relyingPartyOf(consoleUrl, consoleOrigins);
  const secondFactors = createSecondFactors({
    store: store.secondFactors,
    operators: store.operators,
    vault,
    issuer: `Sineta ${relyingParty.id}`,
    randomBytes,
    now,
  });
  const auditFailure = createLogInAudit({ audit: store.audit, now });
  const passkeys = createPasskeys({
    store: store.passkeys,
    operators: store.operators,
    sessions,
    auditFailure,
    relyingParty,
    randomBytes,
    now,
  });
  const logIn = createLogIn({
    operators: store.operators,
    sessions,
    passwords,
    turns,
    throttle: createLogInThrottle(),
    deviceCookies: createDeviceCookies({ secret: deviceSecret, randomBytes }),
    auditFailure,
    checkSecondFactor: (operator, given) => secondFactors.check(operator, given),
  });
  return { operators, invitations, sessions, logIn, secondFactors, passkeys };
}
