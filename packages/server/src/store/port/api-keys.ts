import type { Scope } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";
import type { Doer } from "./messages.ts";

/** A key of the HTTP interface. The key itself is not kept. */
export type ApiKey = {
  id: number;
  projectId: number;
  name: string;
  /** Its first characters, to tell it by. */
  prefix: string;
  scopes: Scope[];
  createdAtMs: number;
  lastUsedAtMs: number | null;
  /** From then on it opens nothing; null: never by itself. */
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  /** Who has seen it when it was made. Null: it is from before that was kept. */
  createdBy: Doer<"operator" | "command-line"> | null;
};

/** A message that has not ended. */
export type OpenMessage = {
  id: string;
  title: string;
  state: "scheduled" | "sending" | "paused";
  scheduledAtMs: number;
};

/** What a key that is revoked has published, itself or as those whose successor it is, and that had not ended. */
export type Revocation = {
  count: number;
  /** As they stood; those that come first, at most so many as were asked for. */
  first: OpenMessage[];
  cancelled: boolean;
};

export type NewApiKey = Pick<ApiKey, "projectId" | "name" | "prefix" | "scopes" | "expiresAtMs"> & {
  hash: Uint8Array;
};

export type ApiKeyStore = {
  /** The audit's actor is kept as its maker. */
  add(key: NewApiKey, audit: AuditEntry, nowMs: number): Promise<void>;
  /** The key with this SHA-256, unless it was revoked or has expired. */
  findByHash(hash: Uint8Array, nowMs: number): Promise<ApiKey | null>;
  /** Remembers that it was used. */
  touch(id: number, nowMs: number): Promise<void>;
  /** Of the project, oldest first, revoked and expired ones too. */
  list(projectId: number): Promise<ApiKey[]>;
  /**
   * Adds the successor of the key with this prefix, which itself expires then at the latest. Only if there is such a key
   * that was not revoked and has not expired.
   * The audit's actor is kept as its maker.
   * @param successor takes name and scopes of the old one, and its expiry
   */
  rotate(
    old: { projectId: number; prefix: string; expiresAtMs: number },
    successor: Pick<NewApiKey, "prefix" | "hash">,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /**
   * Only if there is a key with this prefix that is not revoked, or one that is and whose messages are to be cancelled.
   * Those end in the same transaction, each with a line of its own; what it says of `MessageStore.cancel` holds, too.
   * @returns null if there is none
   */
  revoke(
    key: { projectId: number; prefix: string },
    messages: { cancel: boolean; named: number },
    audit: AuditEntry,
    nowMs: number,
  ): Promise<Revocation | null>;
  /** Those of the operator that are good, the oldest first. @param projectId null: of all projects */
  madeBy(operatorId: number, projectId: number | null, nowMs: number): Promise<ApiKey[]>;
};
