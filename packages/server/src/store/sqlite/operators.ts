import { sql } from "kysely";
import type { JsonValue } from "@sineta/protocol";
import type { AuditEntry, OperatorCredentials, OperatorStore } from "../port.ts";
import { goodKeysMadeBy } from "./api-keys.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { invitationStore, withdrawFirst } from "./invitations.ts";
import { endOtherSessions, giveRole, insertOperator, roleIn } from "./operator-rows.ts";

export function operatorStore(connection: Connection): OperatorStore {
  return {
    ...invitationStore(connection),

    async count() {
      const { count } = await connection
        .selectFrom("operators")
        .select((of) => of.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    findByEmail: (email) => findOne(connection, "email", email),
    findById: (id) => findOne(connection, "id", id),

    rolesOf: (id) =>
      connection
        .selectFrom("operator_roles")
        .select(["project_id as projectId", "role"])
        .where("operator_id", "=", id)
        .orderBy("project_id")
        .execute(),

    async list(projectId) {
      const rows = await connection
        .selectFrom("operators")
        .innerJoin("operator_roles", "operator_id", "id")
        .select([...operatorColumns, "role", hasTotp])
        .where("project_id", "=", projectId)
        .orderBy("email")
        .execute();
      return rows.map(({ totp, ...operator }) =>
        Object.assign(operator, { hasSecondFactor: totp === 1 }),
      );
    },

    listAll: () =>
      connection.selectFrom("operators").select(operatorColumns).orderBy("email").execute(),

    add: (operator, { projectId, role }, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const operatorId = await insertOperator(transaction, operator, nowMs);
        if (operatorId === null) return null;
        await giveRole(transaction, { operatorId, projectId, role }, nowMs);
        await withdrawFirst(transaction);
        await writeAudit(transaction, audit, nowMs);
        return operatorId;
      }),

    setRole: (id, { projectId, role }, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const before = await roleIn(transaction, id, projectId);
        if (before === null) return "not-found";
        if (before === role) return "changed";
        if (before === "owner") {
          if (await isLastOwner(transaction, id, projectId)) return "last-owner";
          await withdrawOf(transaction, id, projectId);
        }
        await giveRole(transaction, { operatorId: id, projectId, role }, nowMs);
        const left = before === "owner" ? await keysLeftBy(transaction, id, projectId, nowMs) : {};
        await writeAudit(transaction, withChange(audit, left), nowMs);
        return "changed";
      }),

    removeRole: (id, projectId, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if ((await roleIn(transaction, id, projectId)) === null) return "not-found";
        if (await isLastOwner(transaction, id, projectId)) return "last-owner";
        await withdrawOf(transaction, id, projectId);
        await transaction
          .deleteFrom("operator_roles")
          .where("operator_id", "=", id)
          .where("project_id", "=", projectId)
          .execute();
        await transaction
          .deleteFrom("operator_sessions")
          .where("operator_id", "=", id)
          .where(sql<boolean>`not exists (select 1 from operator_roles where operator_id = ${id})`)
          .execute();
        const left = await keysLeftBy(transaction, id, projectId, nowMs);
        await writeAudit(transaction, withChange(audit, left), nowMs);
        return "changed";
      }),

    setPassword: (id, { from, to }, keepSession, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const asks = await transaction
          .selectFrom("operator_sessions")
          .innerJoin("operators", "operators.id", "operator_id")
          .select("operators.id")
          .where("operator_sessions.id", "=", keepSession)
          .where("operators.id", "=", id)
          .where("password_hash", "=", from)
          .executeTakeFirst();
        if (asks === undefined) return false;
        await writeHash(transaction, id, to);
        await endOtherSessions(transaction, id, keepSession);
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    async rehash(id, { from, to }) {
      const { numUpdatedRows } = await connection
        .updateTable("operators")
        .set({ password_hash: to })
        .where("id", "=", id)
        .where("password_hash", "=", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    recover: (id, passwordHash, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await writeHash(transaction, id, passwordHash))) return false;
        await transaction
          .updateTable("operators")
          .set({ sealed_totp_secret: null, totp_confirmed_at_ms: null, totp_last_step: null })
          .where("id", "=", id)
          .execute();
        for (const table of ["operator_sessions", "recovery_codes", "passkeys"] as const) {
          await transaction.deleteFrom(table).where("operator_id", "=", id).execute();
        }
        await transaction.deleteFrom("passkey_challenges").where("operator_id", "=", id).execute();
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    remove: (id, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if ((await findOne(transaction, "id", id)) === null) return "not-found";
        if (await isLastOwner(transaction, id, null)) return "last-owner";
        await transaction.deleteFrom("operators").where("id", "=", id).execute();
        const left = await keysLeftBy(transaction, id, null, nowMs);
        await writeAudit(transaction, withChange(audit, left), nowMs);
        return "changed";
      }),
  };
}

const operatorColumns = [
  "id",
  "email",
  "name",
  "created_at_ms as createdAtMs",
  "last_login_at_ms as lastLoginAtMs",
] as const;

const hasTotp = sql<0 | 1>`totp_confirmed_at_ms is not null`.as("totp");
const passkeyCount =
  sql<number>`(select count(*) from passkeys where operator_id = operators.id)`.as("passkeys");

async function findOne(
  connection: Connection,
  column: "id" | "email",
  value: number | string,
): Promise<OperatorCredentials | null> {
  const row = await connection
    .selectFrom("operators")
    .select([
      ...operatorColumns,
      "password_hash as passwordHash",
      "sealed_totp_secret as sealedTotpSecret",
      hasTotp,
      passkeyCount,
    ])
    .where(column, "=", value)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { totp, sealedTotpSecret, ...operator } = row;
  // One that was never confirmed would shut its owner out.
  return { ...operator, sealedTotpSecret: totp === 1 ? sealedTotpSecret : null };
}

async function writeHash(
  transaction: Connection,
  id: number,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("operators")
    .set({ password_hash: passwordHash })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether this operator is an owner, and nobody else is. @param projectId null: of any project */
async function isLastOwner(
  transaction: Connection,
  id: number,
  projectId: number | null,
): Promise<boolean> {
  let query = transaction
    .selectFrom("operator_roles as own")
    .select("project_id")
    .where("operator_id", "=", id)
    .where("role", "=", "owner")
    .where(
      sql<boolean>`not exists (select 1 from operator_roles as other
        where other.project_id = own.project_id and other.role = 'owner' and other.operator_id != ${id})`,
    );
  if (projectId !== null) query = query.where("project_id", "=", projectId);
  return (await query.limit(1).execute()).length > 0;
}

/** What an owner has made is good only while the owner is one. */
async function withdrawOf(transaction: Connection, id: number, projectId: number): Promise<void> {
  await transaction
    .deleteFrom("invitations")
    .where("invited_by", "=", id)
    .where("project_id", "=", projectId)
    .execute();
}

/** Of very many keys so many stand in the audit. */
const keysTold = 100;

/**
 * What an owner has seen and that goes on opening: a program may live on it, so it ends by nothing but a revocation.
 * @param projectId null: of all projects
 * @returns for the audit; nothing if there is none
 */
async function keysLeftBy(
  transaction: Connection,
  id: number,
  projectId: number | null,
  nowMs: number,
): Promise<Record<string, JsonValue>> {
  const keys = await goodKeysMadeBy(transaction, id, projectId, nowMs);
  return keys.length === 0 ? {} : { apiKeys: keys.slice(0, keysTold).map(({ prefix }) => prefix) };
}

function withChange(audit: AuditEntry, more: Record<string, JsonValue>): AuditEntry {
  if (Object.keys(more).length === 0) return audit;
  return { ...audit, change: { ...audit.change, ...more } };
}
