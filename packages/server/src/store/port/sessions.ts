import type { Role } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

/** An operator who is logged in somewhere. */
export type Session = {
  id: number;
  operatorId: number;
  createdAtMs: number;
  /** To the minute or so. */
  lastUsedAtMs: number;
  /** Whatever is done with it. */
  expiresAtMs: number;
  address: string;
  /** As the browser named itself, shortened. */
  userAgent: string;
};

/** A session with all that deciding needs. */
export type LiveSession = Session & {
  email: string;
  name: string;
  roles: { projectId: number; role: Role }[];
};

export type SessionStore = {
  /**
   * Logs the operator in: writes the session, the time and the audit's line. Of more sessions than there may be those end
   * that were unused longest, each with a line of its own.
   * @param verified what log-in has looked at; null: it was let in otherwise. Only if it still holds
   * @returns null if password or second factor were changed meanwhile, or there is no such operator any more
   */
  start(
    verified: { passwordHash: string; sealedTotpSecret: Uint8Array | null } | null,
    session: { operatorId: number; tokenHash: Uint8Array; expiresAtMs: number } & Pick<
      Session,
      "address" | "userAgent"
    >,
    atMost: number,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<number | null>;
  /** One that has not expired, and was used since `usedSinceMs`. */
  find(
    tokenHash: Uint8Array,
    times: { nowMs: number; usedSinceMs: number },
  ): Promise<LiveSession | null>;
  /** Remembers that it was used, once in a minute. */
  touch(id: number, from: { address: string }, nowMs: number): Promise<void>;
  /** Live ones, the last used first. */
  list(operatorId: number, times: { nowMs: number; usedSinceMs: number }): Promise<Session[]>;
  /** Only if it is this operator's, and has not ended before. */
  end(id: number, operatorId: number, audit: AuditEntry, nowMs: number): Promise<boolean>;
  /** Removes those that have expired or were not used since, at most so many. */
  removeStale(times: { nowMs: number; usedSinceMs: number }, limit: number): Promise<number>;
};
