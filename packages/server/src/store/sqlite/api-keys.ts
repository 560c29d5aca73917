import { sql } from "kysely";
import { scopeSchema } from "@sineta/protocol";
import type { Actor, ApiKey, ApiKeyStore, NewApiKey } from "../port.ts";
import { writeAudit } from "./audit.ts";
import { failIdle } from "./cancel.ts";
import type { Connection } from "./connection.ts";
import { doerFrom, doerOf, nameOfDoer } from "./doers.ts";
import { cancelOfKey, openMessagesOf } from "./messages-of-key.ts";

/** How exactly it is known when a key was used: a busy sender does not write for each request. */
const touchEveryMs = 60_000;

export function apiKeyStore(connection: Connection): ApiKeyStore {
  return {
    add: (key, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        await insertKey(transaction, { ...key, predecessorId: null }, audit.actor, nowMs);
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
        const made = { ...keyFrom(row), ...successor, predecessorId: row.id };
        await insertKey(transaction, made, audit.actor, nowMs);
        await transaction
          .updateTable("api_keys")
          .set({ expires_at_ms: Math.min(old.expiresAtMs, row.expiresAtMs ?? Infinity) })
          .where("id", "=", row.id)
          .execute();
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    async revoke({ projectId, prefix }, { cancel, named }, audit, nowMs) {
      const done = await connection.transaction().execute(async (transaction) => {
        const key = await keysFrom(transaction)
          .where("project_id", "=", projectId)
          .where("prefix", "=", prefix)
          .executeTakeFirst();
        if (key === undefined || (key.revokedAtMs !== null && !cancel)) return null;
        if (key.revokedAtMs === null) {
          await transaction
            .updateTable("api_keys")
            .set({ revoked_at_ms: nowMs })
            .where("id", "=", key.id)
            .execute();
        }
        const open = await openMessagesOf(transaction, key.id, named);
        const change =
          open.count === 0 ? audit.change : { messages: open.count, messagesCancelled: cancel };
        await writeAudit(transaction, { ...audit, change }, nowMs);
        const ended = cancel ? await cancelOfKey(transaction, key.id, audit, nowMs) : [];
        return { revocation: { ...open, cancelled: cancel }, ended };
      });
      // In transactions of their own, so that others have their turn between them.
      for (const id of done?.ended ?? []) {
        const goOn = () =>
          connection.transaction().execute((transaction) => failIdle(transaction, id, nowMs));
        while (!(await goOn()));
      }
      return done?.revocation ?? null;
    },

    madeBy: async (operatorId, projectId, nowMs) =>
      (await goodKeysMadeBy(connection, operatorId, projectId, nowMs)).map(keyFrom),
  };
}

/** Whether it opens anything at this moment. */
export async function isGood(connection: Connection, id: number, nowMs: number): Promise<boolean> {
  const row = await keysFrom(connection)
    .where("id", "=", id)
    .where(isLive(nowMs))
    .executeTakeFirst();
  return row !== undefined;
}

/** @param projectId null: of all projects */
export function goodKeysMadeBy(
  connection: Connection,
  operatorId: number,
  projectId: number | null,
  nowMs: number,
) {
  return keysFrom(connection)
    .where("maker_kind", "=", sql.lit("operator"))
    .where("maker_id", "=", operatorId)
    .where(isLive(nowMs))
    .$if(projectId !== null, (query) => query.where("project_id", "=", projectId))
    .orderBy("id")
    .execute();
}

async function insertKey(
  transaction: Connection,
  key: NewApiKey & { predecessorId: number | null },
  maker: Actor,
  nowMs: number,
): Promise<void> {
  const { projectId, name, prefix, hash, scopes, expiresAtMs } = key;
  const { kind, id } = doerOf(maker, ["operator", "command-line"]);
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
      maker_kind: kind,
      maker_id: id,
      predecessor_id: key.predecessorId,
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
      "maker_kind as makerKind",
      nameOfDoer("api_keys.maker_kind", "api_keys.maker_id").as("makerName"),
    ]);
}

type KeyRow = Omit<ApiKey, "scopes" | "createdBy"> & {
  scopes: string;
  makerKind: "operator" | "command-line" | null;
  makerName: string | null;
};

function keyFrom({ makerKind, makerName, ...row }: KeyRow): ApiKey {
  const createdBy = doerFrom(makerKind, makerName);
  return {
    ...row,
    createdBy,
    scopes: row.scopes.split(" ").map((scope) => scopeSchema.parse(scope)),
  };
}
