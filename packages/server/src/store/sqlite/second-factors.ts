import { sql } from "kysely";
import type { SecondFactorStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { endOtherSessions, isLoggedIn } from "./operator-rows.ts";

export function secondFactorStore(connection: Connection): SecondFactorStore {
  return {
    async offerTotp(operatorId, sealedSecret) {
      const { numUpdatedRows } = await connection
        .updateTable("operators")
        .set({ sealed_totp_secret: sealedSecret, totp_last_step: null })
        .where("id", "=", operatorId)
        .where("totp_confirmed_at_ms", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async offeredTotp(operatorId) {
      const row = await connection
        .selectFrom("operators")
        .select("sealed_totp_secret as sealedSecret")
        .where("id", "=", operatorId)
        .where("totp_confirmed_at_ms", "is", null)
        .executeTakeFirst();
      return row?.sealedSecret ?? null;
    },

    confirmTotp: (
      operatorId,
      { sealedSecret, step, recoveryCodeHashes },
      keepSession,
      audit,
      nowMs,
    ) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await isLoggedIn(transaction, operatorId, keepSession))) return false;
        const { numUpdatedRows } = await transaction
          .updateTable("operators")
          .set({ totp_confirmed_at_ms: nowMs, totp_last_step: step })
          .where("id", "=", operatorId)
          .where("sealed_totp_secret", "=", sealedSecret)
          .where("totp_confirmed_at_ms", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await writeCodes(transaction, operatorId, recoveryCodeHashes);
        await endOtherSessions(transaction, operatorId, keepSession);
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    async takeTotpStep(operatorId, step) {
      const { numUpdatedRows } = await connection
        .updateTable("operators")
        .set({ totp_last_step: step })
        .where("id", "=", operatorId)
        .where("totp_confirmed_at_ms", "is not", null)
        .where(sql<boolean>`coalesce(totp_last_step, -1) < ${step}`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    removeTotp: (operatorId, keepSession, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await isLoggedIn(transaction, operatorId, keepSession))) return false;
        const { numUpdatedRows } = await transaction
          .updateTable("operators")
          .set({ sealed_totp_secret: null, totp_confirmed_at_ms: null, totp_last_step: null })
          .where("id", "=", operatorId)
          .where("totp_confirmed_at_ms", "is not", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await writeCodes(transaction, operatorId, []);
        await endOtherSessions(transaction, operatorId, keepSession);
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    replaceRecoveryCodes: (operatorId, hashes, keepSession, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await isLoggedIn(transaction, operatorId, keepSession))) return false;
        const asked = await transaction
          .selectFrom("operators")
          .select("id")
          .where("id", "=", operatorId)
          .where("totp_confirmed_at_ms", "is not", null)
          .executeTakeFirst();
        if (asked === undefined) return false;
        await writeCodes(transaction, operatorId, hashes);
        await endOtherSessions(transaction, operatorId, keepSession);
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    async takeRecoveryCode(operatorId, hash) {
      const { numDeletedRows } = await connection
        .deleteFrom("recovery_codes")
        .where("operator_id", "=", operatorId)
        .where("code_hash", "=", hash)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async recoveryCodesLeft(operatorId) {
      const { count } = await connection
        .selectFrom("recovery_codes")
        .select((of) => of.fn.countAll<number>().as("count"))
        .where("operator_id", "=", operatorId)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** In place of those there are. */
async function writeCodes(
  transaction: Connection,
  operatorId: number,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await transaction.deleteFrom("recovery_codes").where("operator_id", "=", operatorId).execute();
  if (hashes.length === 0) return;
  await transaction
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ operator_id: operatorId, code_hash: hash })))
    .execute();
}
