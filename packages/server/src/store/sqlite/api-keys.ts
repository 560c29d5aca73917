import { sql } from "kysely";
import type { ApiKeyStore } from "../port.ts";
import type { Connection } from "./connection.ts";

/** How exactly it is known when a key was used: a busy sender does not write for each request. */
const touchEveryMs = 60_000;

export function apiKeyStore(connection: Connection): ApiKeyStore {
  return {
    async add({ projectId, name, prefix, hash }, nowMs) {
      await connection
        .insertInto("api_keys")
        .values({
          project_id: projectId,
          name,
          prefix,
          hash,
          created_at_ms: nowMs,
          last_used_at_ms: null,
          revoked_at_ms: null,
        })
        .execute();
    },

    async findByHash(hash) {
      const key = await keysFrom(connection)
        .where("hash", "=", hash)
        .where("revoked_at_ms", "is", null)
        .executeTakeFirst();
      return key ?? null;
    },

    async touch(id, nowMs) {
      await connection
        .updateTable("api_keys")
        .set({ last_used_at_ms: nowMs })
        .where("id", "=", id)
        // Also where the clock was set back since.
        .where(
          sql<boolean>`(last_used_at_ms is null or abs(${nowMs} - last_used_at_ms) >= ${touchEveryMs})`,
        )
        .execute();
    },

    list: (projectId) =>
      keysFrom(connection).where("project_id", "=", projectId).orderBy("id").execute(),

    async revoke(projectId, prefix, nowMs) {
      const { numUpdatedRows } = await connection
        .updateTable("api_keys")
        .set({ revoked_at_ms: nowMs })
        .where("project_id", "=", projectId)
        .where("prefix", "=", prefix)
        .where("revoked_at_ms", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

/** All of a key but its hash. */
function keysFrom(connection: Connection) {
  return connection
    .selectFrom("api_keys")
    .select([
      "id",
      "project_id as projectId",
      "name",
      "prefix",
      "created_at_ms as createdAtMs",
      "last_used_at_ms as lastUsedAtMs",
      "revoked_at_ms as revokedAtMs",
    ]);
}
