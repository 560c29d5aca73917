/** A key of the HTTP interface. The key itself is not kept. */
export type ApiKey = {
  id: number;
  projectId: number;
  name: string;
  /** Its first characters, to tell it by. */
  prefix: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
};

export type ApiKeyStore = {
  add(
    key: Pick<ApiKey, "projectId" | "name" | "prefix"> & { hash: Uint8Array },
    nowMs: number,
  ): Promise<void>;
  /** The key with this SHA-256, unless it was revoked. */
  findByHash(hash: Uint8Array): Promise<ApiKey | null>;
  /** Remembers that it was used. */
  touch(id: number, nowMs: number): Promise<void>;
  /** Of the project, oldest first, revoked ones too. */
  list(projectId: number): Promise<ApiKey[]>;
  /** Only if there is a key with this prefix that is not revoked. */
  revoke(projectId: number, prefix: string, nowMs: number): Promise<boolean>;
};
