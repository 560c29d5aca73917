import { createHash } from "node:crypto";
import type { ApiKey, ApiKeyStore } from "../store/port.ts";

const keyBytes = 32;
/** By this a key is known for one, in a log or a repository where it should not be. */
const keyMark = "sineta_";
/** The mark and 48 random bits: enough to tell keys apart, and nothing to guess the rest from. */
const prefixCharacters = keyMark.length + 8;

/** Keys of the HTTP interface: whoever holds one may send to all of its project's registrations. */
export type ApiKeys = {
  /**
   * Makes a key. What is kept of it opens nothing, so this is the one time that it is shown.
   * @param name for people, to tell it by; may be empty
   */
  create(projectId: number, name: string): Promise<{ key: string; prefix: string }>;
  /** The key, if it is one of this project's and was not revoked. Remembers about when it was used. */
  authenticate(projectId: number, key: string): Promise<ApiKey | null>;
  /** Oldest first, revoked ones too. */
  list(projectId: number): Promise<ApiKey[]>;
  /** Only if the project has a key with this prefix that is not revoked. It is refused from then on. */
  revoke(projectId: number, prefix: string): Promise<boolean>;
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
  return {
    async create(projectId, name) {
      const key = `${keyMark}${Buffer.from(randomBytes(keyBytes)).toString("base64url")}`;
      const prefix = key.slice(0, prefixCharacters);
      await store.add({ projectId, name, prefix, hash: hashApiKey(key) }, now());
      return { key, prefix };
    },

    async authenticate(projectId, key) {
      // Whatever is given is hashed and looked up, so how long it takes tells nothing about keys. What the lookup
      // compares are hashes: to come nearer to one that is kept, one would have to know it.
      const found = await store.findByHash(hashApiKey(key));
      if (found === null || found.projectId !== projectId) return null;
      // A full disk must not keep anybody from asking how their messages do.
      await store.touch(found.id, now()).catch(() => undefined);
      return found;
    },

    list: (projectId) => store.list(projectId),
    revoke: (projectId, prefix) => store.revoke(projectId, prefix, now()),
  };
}

/** What is kept of a key: SHA-256. It is 32 random bytes, so it needs no salt and no work factor. */
function hashApiKey(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}
