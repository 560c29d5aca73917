import { RateLimiterMemory } from "rate-limiter-flexible";
import type { OperatorCredentials, Asker, Session, SessionStore } from "../../store/port.ts";
import type { OperatorCaller } from "../caller.ts";
import { secondsUntilRoom } from "../room.ts";
import { hashToken, makeToken } from "../token.ts";
import { logInLimits } from "./log-in-throttle.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** How long a session lives that nobody uses. */
export const idleMs = 14 * dayMs;
/** However it is used, it ends. */
const lifetimeMs = 90 * dayMs;
const touchEveryMs = 60_000;
/** Who has logged in just now is still who sits there. */
const freshMs = 10 * 60_000;
const userAgentCharacters = 300;
/** Of one operator: the one unused longest ends when another begins. */
export const sessionsPerOperator = 50;

/** From where somebody logs in. */
export type Device = { address: string; userAgent: string };

export type StartedSession = {
  /** For the cookie alone. */
  token: string;
  maxAgeSeconds: number;
};

/** The account has begun as many as it may for now. */
export type TooManyLogIns = { retryAfterSeconds: number };

/** Operators who are logged in, each with a token of which only a hash is kept. */
type Verified = Pick<OperatorCredentials, "passwordHash" | "sealedTotpSecret">;

export type Sessions = {
  /**
   * To be called once it is shown who it is.
   * @param operator with the password and second factor that were there when that was looked at, if they were there before
   * @param how that was shown, for the audit: "password", "passkey"
   * @returns null if they have changed meanwhile
   */
  start(
    operator: { id: number; email: string; verified: Verified | null },
    device: Device,
    how: string,
  ): Promise<StartedSession | TooManyLogIns | null>;
  /** Whose session it is, and remembers that it was used; null if it has ended. */
  find(token: string, address: string): Promise<OperatorCaller | null>;
  /** Live ones, the last used first. */
  list(operatorId: number): Promise<Session[]>;
  /** Whether the operator has logged in with it within 10 minutes. */
  isFresh(id: number, operatorId: number): Promise<boolean>;
  /** Only if it is this operator's. From then on it opens nothing. */
  end(id: number, operatorId: number, asker: Asker): Promise<boolean>;
};

export function createSessions({
  store,
  randomBytes,
  now,
}: {
  store: SessionStore;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): Sessions {
  const begun = new RateLimiterMemory({
    points: logInLimits.begun,
    duration: logInLimits.windowSeconds,
  });

  function times() {
    const nowMs = now();
    return { nowMs, usedSinceMs: nowMs - idleMs };
  }

  return {
    async start({ id: operatorId, email, verified }, { address, userAgent }, how) {
      const retryAfterSeconds = await secondsUntilRoom(begun, String(operatorId));
      if (retryAfterSeconds !== null) return { retryAfterSeconds };
      const { token, tokenHash } = makeToken(randomBytes);
      const nowMs = now();
      const device = deviceName(userAgent);
      const started = await store.start(
        verified,
        { operatorId, tokenHash, expiresAtMs: nowMs + lifetimeMs, address, userAgent: device },
        sessionsPerOperator,
        {
          actor: { kind: "operator", name: email },
          address,
          projectId: null,
          action: "operator.logged-in",
          subject: email,
          change: { with: how, device },
        },
        nowMs,
      );
      return started === null ? null : { token, maxAgeSeconds: lifetimeMs / 1000 };
    },

    async find(token, address) {
      const { nowMs, usedSinceMs } = times();
      const session = await store.find(hashToken(token), { nowMs, usedSinceMs });
      if (session === null) return null;
      if (Math.abs(nowMs - session.lastUsedAtMs) >= touchEveryMs) {
        // A full disk must not log anybody out.
        await store.touch(session.id, { address }, nowMs).catch(() => undefined);
      }
      return {
        kind: "operator",
        id: session.operatorId,
        email: session.email,
        name: session.name,
        sessionId: session.id,
        roles: new Map(session.roles.map(({ projectId, role }) => [projectId, role])),
      };
    },

    list: (operatorId) => store.list(operatorId, times()),

    async isFresh(id, operatorId) {
      const session = (await store.list(operatorId, times())).find((own) => own.id === id);
      return session !== undefined && Math.abs(now() - session.createdAtMs) <= freshMs;
    },

    end: (id, operatorId, asker) =>
      store.end(
        id,
        operatorId,
        {
          ...asker,
          projectId: null,
          action: "session.ended",
          subject: asker.actor.name,
          change: { session: id },
        },
        now(),
      ),
  };
}

/** As the browser names itself: whoever asks writes it, and it is shown on a page and in the audit. */
function deviceName(userAgent: string): string {
  return userAgent.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "").slice(0, userAgentCharacters);
}
