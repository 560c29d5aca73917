import type { AuditEntry } from "./audit.ts";

/**
 * What changes how an operator gets in ends all other sessions: where it takes `keepSession`, it is done only if that session
 * has not ended meanwhile. Null: no session asks, and all end.
 */
export type KeepSession = number | null;

/** TOTP secrets and the codes for the day on which the authenticator application is lost. One secret per operator. */
export type SecondFactorStore = {
  /** Keeps a secret that is not confirmed yet, in place of another such one. Only if none is confirmed. */
  offerTotp(operatorId: number, sealedSecret: Uint8Array): Promise<boolean>;
  /** The one that waits to be confirmed. */
  offeredTotp(operatorId: number): Promise<Uint8Array | null>;
  /**
   * From now on log-in asks for codes. Takes the code's step, and the hashes of new recovery codes in place of others.
   * Only if it is still this secret that waits.
   */
  confirmTotp(
    operatorId: number,
    confirmed: {
      sealedSecret: Uint8Array;
      step: number;
      recoveryCodeHashes: readonly Uint8Array[];
    },
    keepSession: KeepSession,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /** Only if codes are asked for, and none of this step or a later one has been taken. */
  takeTotpStep(operatorId: number, step: number): Promise<boolean>;
  /** Recovery codes go with it. Only if codes are asked for. */
  removeTotp(
    operatorId: number,
    keepSession: KeepSession,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /** In place of those there are. Only if codes are asked for. */
  replaceRecoveryCodes(
    operatorId: number,
    hashes: readonly Uint8Array[],
    keepSession: KeepSession,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /** Uses the code up. Only if there is such a one. */
  takeRecoveryCode(operatorId: number, hash: Uint8Array): Promise<boolean>;
  recoveryCodesLeft(operatorId: number): Promise<number>;
};

export type Passkey = {
  id: number;
  operatorId: number;
  credentialId: Uint8Array;
  /** COSE. */
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
  name: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  /** Host name that it was made for; null: it was made before this was kept. */
  rpId: string | null;
};

export type PasskeyStore = {
  /** Only if nobody has one with this credential id, and the operator has fewer than `atMost`. */
  addPasskey(
    passkey: Omit<Passkey, "id" | "createdAtMs" | "lastUsedAtMs">,
    atMost: number,
    keepSession: KeepSession,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<"added" | "known" | "too-many" | "session-ended">;
  /** Of an operator, the oldest first. */
  passkeys(operatorId: number): Promise<Passkey[]>;
  findPasskey(credentialId: Uint8Array): Promise<Passkey | null>;
  /** Remembers counter and time. Only if the counter has grown, or both are 0 (WebAuthn Level 3, section 6.1.1). */
  usePasskey(id: number, counter: number, nowMs: number): Promise<boolean>;
  /** Only if it is this operator's. */
  removePasskey(
    operatorId: number,
    id: number,
    keepSession: KeepSession,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;

  /**
   * A question to be put to a passkey. An operator has one at a time: a new one takes the place of the one before.
   * Removes a hundred of those that have expired, too.
   * @param question `operatorId` null: for a log-in, by whomever
   * @param atMost so many for log-ins are open at once: a new one takes the place of the oldest
   */
  addChallenge(
    question: { hash: Uint8Array; operatorId: number | null; expiresAtMs: number },
    atMost: number,
    nowMs: number,
  ): Promise<void>;
  /** Each is good once, until it expires, and for whom it was made. */
  takeChallenge(hash: Uint8Array, operatorId: number | null, nowMs: number): Promise<boolean>;
};
