/** What the stores of operators and of their invitations share. All to be called in a transaction. */
import type { Role } from "@sineta/protocol";
import type { Connection } from "./connection.ts";

/** @returns the new operator's id; null if somebody has this e-mail address */
export async function insertOperator(
  transaction: Connection,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
  nowMs: number,
): Promise<number | null> {
  const row = await transaction
    .insertInto("operators")
    .values({
      email,
      name,
      password_hash: passwordHash,
      sealed_totp_secret: null,
      totp_confirmed_at_ms: null,
      totp_last_step: null,
      created_at_ms: nowMs,
      last_login_at_ms: null,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function roleIn(
  transaction: Connection,
  operatorId: number,
  projectId: number,
): Promise<Role | null> {
  const row = await transaction
    .selectFrom("operator_roles")
    .select("role")
    .where("operator_id", "=", operatorId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row?.role ?? null;
}

export async function giveRole(
  transaction: Connection,
  { operatorId, projectId, role }: { operatorId: number; projectId: number; role: Role },
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("operator_roles")
    .values({ operator_id: operatorId, project_id: projectId, role, granted_at_ms: nowMs })
    .onConflict((conflict) =>
      conflict.columns(["operator_id", "project_id"]).doUpdateSet({ role, granted_at_ms: nowMs }),
    )
    .execute();
}

/** Whether the session that asks is there still. @param sessionId null: none asks */
export async function isLoggedIn(
  transaction: Connection,
  operatorId: number,
  sessionId: number | null,
): Promise<boolean> {
  if (sessionId === null) return true;
  const row = await transaction
    .selectFrom("operator_sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("operator_id", "=", operatorId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends all sessions of the operator but this one: how one gets in has changed. */
export async function endOtherSessions(
  transaction: Connection,
  operatorId: number,
  keepSession: number | null,
): Promise<void> {
  await transaction
    .deleteFrom("operator_sessions")
    .where("operator_id", "=", operatorId)
    .$if(keepSession !== null, (query) => query.where("id", "!=", keepSession))
    .execute();
}
