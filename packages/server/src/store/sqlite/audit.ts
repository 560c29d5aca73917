import type { AuditEntry, AuditFilter, AuditLine, AuditStore } from "../port.ts";
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

export function auditStore(connection: Connection, reading: Connection): AuditStore {
  return {
    append: (entry, nowMs) => writeAudit(connection, entry, nowMs),

    async list(projectIds, { limit, beforeId, ...filter }) {
      const bounds = {
        beforeId: least(beforeId, await firstIdFrom(reading, filter.untilMs)),
        fromId: await firstIdFrom(reading, filter.fromMs),
      };
      const pages = await Promise.all(
        projectIds.map((id) => linesOf(reading, id, { ...filter, ...bounds, limit }).execute()),
      );
      const rows = pages.flat().toSorted((one, other) => other.id - one.id);
      return rows.slice(0, limit).map((row): AuditLine => ({
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

/**
 * A page of one project's lines, newest first: along an index in every case, however long the audit is.
 * @param projectId null stands for the whole server
 */
export function linesOf(
  connection: Connection,
  projectId: number | null,
  {
    action,
    actor,
    beforeId,
    fromId,
    limit,
  }: Pick<AuditFilter, "action" | "actor"> & {
    beforeId: number | undefined;
    fromId: number | undefined;
    limit: number;
  },
) {
  let query = connection.selectFrom("audit").selectAll();
  query =
    projectId === null
      ? query.where("project_id", "is", null)
      : query.where("project_id", "=", projectId);
  if (action !== undefined) query = query.where("action", "=", action);
  if (actor !== undefined) query = query.where("actor", "=", actor);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  if (fromId !== undefined) query = query.where("id", ">=", fromId);
  return query.orderBy("id", "desc").limit(limit);
}

/**
 * The first line from then on: times become ids, by which everything is in order. Lines are numbered as they are
 * written, so a clock that was put back leaves some on the other side.
 */
async function firstIdFrom(
  connection: Connection,
  timeMs: number | undefined,
): Promise<number | undefined> {
  if (timeMs === undefined) return undefined;
  const last = await connection
    .selectFrom("audit")
    .select("id")
    .where("at_ms", "<", timeMs)
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return (last?.id ?? 0) + 1;
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
