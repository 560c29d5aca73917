import { createHash } from "node:crypto";
import { limits, type Scope } from "@sineta/protocol";
import type { ApiKey, ApiKeyStore, Asker, Revocation } from "../../store/port.ts";

const keyBytes = 32;
/** By this a key is known for one, in a log or a repository where it should not be. */
const keyMark = "sineta_";
/** The mark and 48 random bits: enough to tell keys apart, and nothing to guess the rest from. */
const prefixCharacters = keyMark.length + 8;

export type NewKey = {
  /** For people, to tell it by; may be empty. */
  name: string;
  scopes: readonly Scope[];
  /** Null: never by itself. */
  expiresAtMs: number | null;
};

/** The key, shown this once: what is kept of it opens nothing. */
export type MadeKey = { key: string; prefix: string };

/** Keys of the HTTP interface: whoever holds one may do in its project what its scopes say. */
export type ApiKeys = {
  create(projectId: number, key: NewKey, asker: Asker): Promise<MadeKey>;
  /** The key, if it was not revoked and has not expired. */
  authenticate(key: string): Promise<ApiKey | null>;
  /** Remembers about when it was used. */
  used(id: number): Promise<void>;
  /** Oldest first, revoked ones too. */
  list(projectId: number): Promise<ApiKey[]>;
  /** Those that this operator has made and that are good, the oldest first. @param projectId null: of all projects */
  madeBy(operatorId: number, projectId: number | null): Promise<ApiKey[]>;
  /**
   * Makes a successor with the same name, scopes and expiry; the old one is good for a while, so that whoever sends can
   * change over. Null if the project has no such key that is good.
   */
  rotate(
    projectId: number,
    prefix: string,
    options: { graceMs: number },
    asker: Asker,
  ): Promise<MadeKey | null>;
  /**
   * Only if the project has a key with this prefix that is not revoked; with `cancelMessages` also if it is. It is refused
   * from then on, a message that it is just publishing too.
   * @returns what it has published that had not ended, and whether that ends with it; null if there is no such key
   */
  revoke(
    projectId: number,
    prefix: string,
    options: { cancelMessages: boolean },
    asker: Asker,
  ): Promise<Revocation | null>;
};

export function createApiKeys({
  store,
  randomBytes,
  now,
}: {
  store: ApiKeyStore;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): ApiKeys {
  function make() {
    const key = `${keyMark}${Buffer.from(randomBytes(keyBytes)).toString("base64url")}`;
    return { key, prefix: key.slice(0, prefixCharacters), hash: hashApiKey(key) };
  }

  return {
    async create(projectId, { name, scopes, expiresAtMs }, asker) {
      const { key, prefix, hash } = make();
      const change = { name, scopes: [...scopes], expiresAt: dateOf(expiresAtMs) };
      await store.add(
        { projectId, name, prefix, hash, scopes: [...new Set(scopes)], expiresAtMs },
        { ...asker, projectId, action: "api-key.created", subject: prefix, change },
        now(),
      );
      return { key, prefix };
    },

    // Whatever is given is hashed and looked up, so how long it takes tells nothing about keys. What the lookup
    // compares are hashes: to come nearer to one that is kept, one would have to know it.
    authenticate: (key) => store.findByHash(hashApiKey(key), now()),

    // A full disk must not keep anybody from asking how their messages do.
    used: (id) => store.touch(id, now()).catch(() => undefined),

    list: (projectId) => store.list(projectId),

    madeBy: (operatorId, projectId) => store.madeBy(operatorId, projectId, now()),

    async rotate(projectId, oldPrefix, { graceMs }, asker) {
      const { key, prefix, hash } = make();
      const nowMs = now();
      const expiresAtMs = nowMs + graceMs;
      const rotated = await store.rotate(
        { projectId, prefix: oldPrefix, expiresAtMs },
        { prefix, hash },
        {
          ...asker,
          projectId,
          action: "api-key.rotated",
          subject: oldPrefix,
          change: { successor: prefix, goodUntil: dateOf(expiresAtMs) },
        },
        nowMs,
      );
      return rotated ? { key, prefix } : null;
    },

    revoke: (projectId, prefix, { cancelMessages }, asker) =>
      store.revoke(
        { projectId, prefix },
        { cancel: cancelMessages, named: limits.openMessagesNamed },
        { ...asker, projectId, action: "api-key.revoked", subject: prefix, change: null },
        now(),
      ),
  };
}

function dateOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** What is kept of a key: SHA-256. It is 32 random bytes, so it needs no salt and no work factor. */
function hashApiKey(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}
