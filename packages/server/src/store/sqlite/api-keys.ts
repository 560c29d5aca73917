import { sql } from "kysely";
import { scopeSchema } from "@sineta/protocol";
import type { ApiKey, ApiKeyStore, NewApiKey } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";

/** How exactly it is known when a key was used: a busy sender does not write for each request. */
const touchEveryMs = 60_000;

export function apiKeyStore(connection: Connection): ApiKeyStore {
  return {
    add: (key, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        await insertKey(transaction, key, nowMs);
        await writeAudit(transaction, audit, nowMs);
      }),

    async findByHash(hash, nowMs) {
      const row = await keysFrom(connection)
        .where("hash", "=", hash)
        .where(isLive(nowMs))
        .executeTakeFirst();
      return row === undefined ? null : keyFrom(row);
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

    async list(projectId) {
      const rows = await keysFrom(connection)
        .where("project_id", "=", projectId)
        .orderBy("id")
        .execute();
      return rows.map(keyFrom);
    },

    rotate: (old, successor, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const row = await keysFrom(transaction)
          .where("project_id", "=", old.projectId)
          .where("prefix", "=", old.prefix)
          .where(isLive(nowMs))
          .executeTakeFirst();
        if (row === undefined) return false;
        await insertKey(transaction, { ...keyFrom(row), ...successor }, nowMs);
        await transaction
          .updateTable("api_keys")
          .set({ expires_at_ms: Math.min(old.expiresAtMs, row.expiresAtMs ?? Infinity) })
          .where("id", "=", row.id)
          .execute();
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    revoke: (projectId, prefix, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("api_keys")
          .set({ revoked_at_ms: nowMs })
          .where("project_id", "=", projectId)
          .where("prefix", "=", prefix)
          .where("revoked_at_ms", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),
  };
}

async function insertKey(
  transaction: Connection,
  { projectId, name, prefix, hash, scopes, expiresAtMs }: NewApiKey,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("api_keys")
    .values({
      project_id: projectId,
      name,
      prefix,
      hash,
      scopes: scopes.join(" "),
      created_at_ms: nowMs,
      last_used_at_ms: null,
      expires_at_ms: expiresAtMs,
      revoked_at_ms: null,
    })
    .execute();
}

function isLive(nowMs: number) {
  return sql<boolean>`(revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs}))`;
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
      "scopes",
      "created_at_ms as createdAtMs",
      "last_used_at_ms as lastUsedAtMs",
      "expires_at_ms as expiresAtMs",
      "revoked_at_ms as revokedAtMs",
    ]);
}

function keyFrom(row: Omit<ApiKey, "scopes"> & { scopes: string }): ApiKey {
  return { ...row, scopes: row.scopes.split(" ").map((scope) => scopeSchema.parse(scope)) };
}
