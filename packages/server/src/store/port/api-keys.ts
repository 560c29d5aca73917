import type { Scope } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

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
};

export type NewApiKey = Pick<ApiKey, "projectId" | "name" | "prefix" | "scopes" | "expiresAtMs"> & {
  hash: Uint8Array;
};

export type ApiKeyStore = {
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
   * @param successor takes name and scopes of the old one, and its expiry
   */
  rotate(
    old: { projectId: number; prefix: string; expiresAtMs: number },
    successor: Pick<NewApiKey, "prefix" | "hash">,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<boolean>;
  /** Only if there is a key with this prefix that is not revoked. */
  revoke(projectId: number, prefix: string, audit: AuditEntry, nowMs: number): Promise<boolean>;
};
