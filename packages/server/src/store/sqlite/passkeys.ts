import { sql } from "kysely";
import type { Passkey, PasskeyStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { endOtherSessions, isLoggedIn } from "./operator-rows.ts";

/** A stranger may have left very many: removing 120,000 in one transaction takes a second. Retention removes the rest. */
const expiredAtOnce = 100;

export function passkeyStore(connection: Connection): PasskeyStore {
  return {
    addPasskey: (passkey, atMost, keepSession, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { operatorId } = passkey;
        if (!(await isLoggedIn(transaction, operatorId, keepSession))) return "session-ended";
        const { count } = await transaction
          .selectFrom("passkeys")
          .select((of) => of.fn.countAll<number>().as("count"))
          .where("operator_id", "=", passkey.operatorId)
          .executeTakeFirstOrThrow();
        if (count >= atMost) return "too-many";
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("passkeys")
          .values({
            operator_id: passkey.operatorId,
            credential_id: passkey.credentialId,
            public_key: passkey.publicKey,
            counter: passkey.counter,
            transports: passkey.transports.join(" "),
            name: passkey.name,
            created_at_ms: nowMs,
            last_used_at_ms: null,
            rp_id: passkey.rpId,
          })
          .onConflict((conflict) => conflict.column("credential_id").doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return "known";
        await endOtherSessions(transaction, operatorId, keepSession);
        await writeAudit(transaction, audit, nowMs);
        return "added";
      }),

    async passkeys(operatorId) {
      const rows = await selectPasskeys(connection)
        .where("operator_id", "=", operatorId)
        .orderBy("id")
        .execute();
      return rows.map(passkeyOf);
    },

    async findPasskey(credentialId) {
      const row = await selectPasskeys(connection)
        .where("credential_id", "=", credentialId)
        .executeTakeFirst();
      return row === undefined ? null : passkeyOf(row);
    },

    async usePasskey(id, counter, nowMs) {
      const { numUpdatedRows } = await connection
        .updateTable("passkeys")
        .set({ counter, last_used_at_ms: nowMs })
        .where("id", "=", id)
        .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    removePasskey: (operatorId, id, keepSession, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await isLoggedIn(transaction, operatorId, keepSession))) return false;
        const { numDeletedRows } = await transaction
          .deleteFrom("passkeys")
          .where("id", "=", id)
          .where("operator_id", "=", operatorId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await endOtherSessions(transaction, operatorId, keepSession);
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    addChallenge: ({ hash, operatorId, expiresAtMs }, atMost, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("passkey_challenges")
          .where("challenge_hash", "in", (old) =>
            old
              .selectFrom("passkey_challenges")
              .select("challenge_hash")
              .where("expires_at_ms", "<=", nowMs)
              .limit(expiredAtOnce),
          )
          .execute();
        if (operatorId !== null) {
          await transaction
            .deleteFrom("passkey_challenges")
            .where("operator_id", "=", operatorId)
            .execute();
        }
        const { id } = await transaction
          .insertInto("passkey_challenges")
          .values({ challenge_hash: hash, operator_id: operatorId, expires_at_ms: expiresAtMs })
          .returning("id")
          .executeTakeFirstOrThrow();
        await transaction
          .deleteFrom("passkey_challenges")
          .where("id", "<=", id - atMost)
          .where("operator_id", "is", null)
          .execute();
      }),

    async takeChallenge(hash, operatorId, nowMs) {
      const { numDeletedRows } = await connection
        .deleteFrom("passkey_challenges")
        .where("challenge_hash", "=", hash)
        .where("operator_id", "is", operatorId)
        .where("expires_at_ms", ">", nowMs)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function selectPasskeys(connection: Connection) {
  return connection
    .selectFrom("passkeys")
    .select([
      "id",
      "operator_id as operatorId",
      "credential_id as credentialId",
      "public_key as publicKey",
      "counter",
      "transports",
      "name",
      "created_at_ms as createdAtMs",
      "last_used_at_ms as lastUsedAtMs",
      "rp_id as rpId",
    ]);
}

function passkeyOf(row: Omit<Passkey, "transports"> & { transports: string }): Passkey {
  return { ...row, transports: row.transports === "" ? [] : row.transports.split(" ") };
}
