import { sql } from "kysely";
import type { SessionStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";

/** How exactly it is known when a session was used: a console that looks every second does not write each time. */
const touchEveryMs = 60_000;

export function sessionStore(connection: Connection): SessionStore {
  return {
    start: (
      verified,
      { operatorId, tokenHash, expiresAtMs, address, userAgent },
      atMost,
      audit,
      nowMs,
    ) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await stillHolds(transaction, operatorId, verified))) return null;
        const { id } = await transaction
          .insertInto("operator_sessions")
          .values({
            operator_id: operatorId,
            token_hash: tokenHash,
            created_at_ms: nowMs,
            last_used_at_ms: nowMs,
            expires_at_ms: expiresAtMs,
            address,
            user_agent: userAgent,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable("operators")
          .set({ last_login_at_ms: nowMs })
          .where("id", "=", operatorId)
          .execute();
        await writeAudit(transaction, audit, nowMs);
        for (const ended of await endUnused(transaction, { operatorId, keep: id, atMost })) {
          const change = { session: ended, reason: "too-many" };
          await writeAudit(transaction, { ...audit, action: "session.ended", change }, nowMs);
        }
        return id;
      }),

    async find(tokenHash, times) {
      const row = await liveSessions(connection, times)
        .innerJoin("operators", "operators.id", "operator_id")
        .select(["email", "name"])
        .where("token_hash", "=", tokenHash)
        .executeTakeFirst();
      if (row === undefined) return null;
      const roles = await connection
        .selectFrom("operator_roles")
        .select(["project_id as projectId", "role"])
        .where("operator_id", "=", row.operatorId)
        .execute();
      return { ...row, roles };
    },

    async touch(id, { address }, nowMs) {
      await connection
        .updateTable("operator_sessions")
        .set({ last_used_at_ms: nowMs, address })
        .where("id", "=", id)
        // Also where the clock was set back since.
        .where(sql<boolean>`abs(${nowMs} - last_used_at_ms) >= ${touchEveryMs}`)
        .execute();
    },

    list: (operatorId, times) =>
      liveSessions(connection, times)
        .where("operator_id", "=", operatorId)
        .orderBy("last_used_at_ms", "desc")
        .orderBy("operator_sessions.id", "desc")
        .execute(),

    end: (id, operatorId, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("operator_sessions")
          .where("id", "=", id)
          .where("operator_id", "=", operatorId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    async removeStale({ nowMs, usedSinceMs }, limit) {
      const { numDeletedRows } = await connection
        .deleteFrom("operator_sessions")
        .where("id", "in", (stale) =>
          stale
            .selectFrom("operator_sessions")
            .select("id")
            .where((is) =>
              is.or([is("expires_at_ms", "<=", nowMs), is("last_used_at_ms", "<", usedSinceMs)]),
            )
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Ends those beyond so many that were unused longest, never the one that begins. @returns their ids */
async function endUnused(
  transaction: Connection,
  { operatorId, keep, atMost }: { operatorId: number; keep: number; atMost: number },
): Promise<number[]> {
  const rows = await transaction
    .deleteFrom("operator_sessions")
    .where("id", "in", (unused) =>
      unused
        .selectFrom("operator_sessions")
        .select("id")
        .where("operator_id", "=", operatorId)
        .where("id", "!=", keep)
        .orderBy("last_used_at_ms", "desc")
        .orderBy("id", "desc")
        .limit(-1)
        .offset(atMost - 1),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** All of a session but its token's hash. */
function liveSessions(
  connection: Connection,
  { nowMs, usedSinceMs }: { nowMs: number; usedSinceMs: number },
) {
  return connection
    .selectFrom("operator_sessions")
    .select([
      "operator_sessions.id as id",
      "operator_id as operatorId",
      "operator_sessions.created_at_ms as createdAtMs",
      "last_used_at_ms as lastUsedAtMs",
      "expires_at_ms as expiresAtMs",
      "address",
      "user_agent as userAgent",
    ])
    .where("expires_at_ms", ">", nowMs)
    .where("last_used_at_ms", ">=", usedSinceMs);
}

async function stillHolds(
  transaction: Connection,
  operatorId: number,
  verified: Parameters<SessionStore["start"]>[0],
): Promise<boolean> {
  const now = await transaction
    .selectFrom("operators")
    .select(["password_hash", "sealed_totp_secret", "totp_confirmed_at_ms"])
    .where("id", "=", operatorId)
    .executeTakeFirst();
  if (now === undefined) return false;
  if (verified === null) return true;
  const sealed = now.totp_confirmed_at_ms === null ? null : now.sealed_totp_secret;
  const before = verified.sealedTotpSecret;
  return (
    now.password_hash === verified.passwordHash &&
    (sealed === null || before === null ? sealed === before : Buffer.compare(sealed, before) === 0)
  );
}
