import type { AuditEntry, AuditLine, AuditStore } from "../port.ts";
import type { Connection } from "./connection.ts";

/** For a transaction that changes what the entry tells of. */
export async function writeAudit(
  transaction: Connection,
  { projectId, actor, action, subject, address, change }: AuditEntry,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("audit")
    .values({
      at_ms: nowMs,
      project_id: projectId,
      actor_kind: actor.kind,
      actor: actor.name,
      action,
      subject,
      address,
      change: change === null ? null : JSON.stringify(change),
    })
    .execute();
}

export function auditStore(connection: Connection): AuditStore {
  return {
    append: (entry, nowMs) => writeAudit(connection, entry, nowMs),

    async list(projectIds, { limit, beforeId }) {
      const ids = projectIds.filter((id) => id !== null);
      let query = connection.selectFrom("audit").selectAll();
      query = query.where((is) =>
        is.or([
          ...(ids.length === 0 ? [] : [is("project_id", "in", ids)]),
          ...(projectIds.includes(null) ? [is("project_id", "is", null)] : []),
        ]),
      );
      if (beforeId !== undefined) query = query.where("id", "<", beforeId);
      const rows = await query.orderBy("id", "desc").limit(limit).execute();
      return rows.map((row): AuditLine => ({
        id: row.id,
        atMs: row.at_ms,
        projectId: row.project_id,
        actor: { kind: row.actor_kind, name: row.actor },
        action: row.action,
        subject: row.subject,
        address: row.address,
        change: row.change === null ? null : JSON.parse(row.change),
      }));
    },

    async removeBefore(timeMs, limit) {
      const { numDeletedRows } = await connection
        .deleteFrom("audit")
        .where("id", "in", (old) =>
          old
            .selectFrom("audit")
            .select("id")
            .where("at_ms", "<", timeMs)
            .orderBy("at_ms")
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
