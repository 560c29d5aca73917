import type { Role } from "@sineta/protocol";
import { roles } from "@sineta/protocol";
import type { Acceptance, Invitation, OperatorStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { giveRole, insertOperator, roleIn } from "./operator-rows.ts";

type InvitationCalls =
  | "invite"
  | "findInvitation"
  | "invitations"
  | "withdrawInvitation"
  | "inviteFirst"
  | "accept";

export function invitationStore(connection: Connection): Pick<OperatorStore, InvitationCalls> {
  return {
    invite: (invitation, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        await removeExpired(transaction, nowMs);
        const { id } = await transaction
          .insertInto("invitations")
          .values({
            project_id: invitation.projectId,
            role: invitation.role,
            email: invitation.email,
            token_hash: invitation.tokenHash,
            invited_by: invitation.invitedBy,
            created_at_ms: nowMs,
            expires_at_ms: invitation.expiresAtMs,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        await writeAudit(transaction, audit, nowMs);
        return id;
      }),

    findInvitation: (tokenHash, nowMs) => findByToken(connection, tokenHash, nowMs),

    async invitations(projectId, nowMs) {
      const rows = await invitationsFrom(connection)
        .where("project_id", "=", projectId)
        .where("expires_at_ms", ">", nowMs)
        .orderBy("invitations.id", "desc")
        .execute();
      return rows;
    },

    withdrawInvitation: (projectId, id, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("invitations")
          .where("id", "=", id)
          .where("project_id", "=", projectId)
          .where("expires_at_ms", ">", nowMs)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    inviteFirst: ({ projectId, tokenHash, expiresAtMs }, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const somebody = await transaction.selectFrom("operators").select("id").limit(1).execute();
        if (somebody.length > 0) return false;
        await withdrawFirst(transaction);
        await transaction
          .insertInto("invitations")
          .values({
            project_id: projectId,
            role: "owner",
            email: null,
            token_hash: tokenHash,
            invited_by: null,
            first: 1,
            created_at_ms: nowMs,
            expires_at_ms: expiresAtMs,
          })
          .execute();
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    accept: (tokenHash, who, { address }, nowMs) =>
      connection.transaction().execute(async (transaction): Promise<Acceptance> => {
        const invitation = await findByToken(transaction, tokenHash, nowMs);
        if (invitation === null) return { kind: "invitation-gone" };
        const { id, projectId, role, invitedBy } = invitation;
        const email = "email" in who ? who.email : await emailOf(transaction, who.operatorId);
        if (email === null) return { kind: "invitation-gone" };
        if (invitation.email !== null && invitation.email !== email)
          return { kind: "invitation-for-another" };
        const operatorId =
          "email" in who ? await insertOperator(transaction, who, nowMs) : who.operatorId;
        if (operatorId === null) {
          // One that is for an address tells of that alone.
          if (invitation.email === null) await countTry(transaction, invitation, address, nowMs);
          return { kind: "email-taken" };
        }
        const before = await roleIn(transaction, operatorId, projectId);
        const after = before === null ? role : greaterOf(before, role);
        await giveRole(transaction, { operatorId, projectId, role: after }, nowMs);
        await transaction.deleteFrom("invitations").where("id", "=", id).execute();
        await withdrawFirst(transaction);
        await writeAudit(
          transaction,
          {
            actor: { kind: "operator", name: email },
            address,
            projectId,
            action: "invitation.accepted",
            subject: email,
            change: { invitation: id, role: after, invitedBy },
          },
          nowMs,
        );
        return { kind: "accepted", operatorId, email };
      }),
  };
}

/** Else whoever has a link for anybody could try by it who has an account. */
const mostTries = 5;

async function countTry(
  transaction: Connection,
  { id, projectId }: Pick<Invitation, "id" | "projectId">,
  address: string | null,
  nowMs: number,
): Promise<void> {
  const { tries } = await transaction
    .updateTable("invitations")
    .set((row) => ({ tries: row("tries", "+", 1) }))
    .where("id", "=", id)
    .returning("tries")
    .executeTakeFirstOrThrow();
  if (tries < mostTries) return;
  await transaction.deleteFrom("invitations").where("id", "=", id).execute();
  await writeAudit(
    transaction,
    {
      actor: { kind: "nobody", name: "" },
      address,
      projectId,
      action: "invitation.withdrawn",
      subject: String(id),
      change: { reason: "too-many-tries" },
    },
    nowMs,
  );
}

/** The link of the first start is for whoever is nobody's guest: it ends once there is an operator. */
export async function withdrawFirst(transaction: Connection): Promise<void> {
  await transaction.deleteFrom("invitations").where("first", "=", 1).execute();
}

async function removeExpired(transaction: Connection, nowMs: number): Promise<void> {
  await transaction.deleteFrom("invitations").where("expires_at_ms", "<=", nowMs).execute();
}

async function findByToken(
  connection: Connection,
  tokenHash: Uint8Array,
  nowMs: number,
): Promise<Invitation | null> {
  const row = await invitationsFrom(connection)
    .where("token_hash", "=", tokenHash)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return row ?? null;
}

async function emailOf(connection: Connection, operatorId: number): Promise<string | null> {
  const row = await connection
    .selectFrom("operators")
    .select("email")
    .where("id", "=", operatorId)
    .executeTakeFirst();
  return row?.email ?? null;
}

function greaterOf(one: Role, other: Role): Role {
  return roles.indexOf(one) >= roles.indexOf(other) ? one : other;
}

/** All of an invitation but its hash. */
function invitationsFrom(connection: Connection) {
  return connection
    .selectFrom("invitations")
    .leftJoin("operators", "operators.id", "invited_by")
    .select([
      "invitations.id as id",
      "project_id as projectId",
      "role",
      "invitations.email as email",
      "operators.email as invitedBy",
      "invitations.created_at_ms as createdAtMs",
      "expires_at_ms as expiresAtMs",
    ]);
}
