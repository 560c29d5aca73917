/** Asked inside the transaction of what they may refuse. */
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

const hourMs = 60 * 60 * 1000;

/** How many more live registrations the project may have: none or less, if it has all. */
export async function roomFor(transaction: Connection, projectId: number): Promise<number> {
  const { rows } = await room(transaction, { projectId });
  return rows[0]?.room ?? 0;
}

const room = compileOnce((connection, { projectId }: { projectId: number }) =>
  connection
    .selectFrom("projects")
    .select((row) => row("registrations_quota", "-", row.ref("live_registrations")).as("room"))
    .where("id", "=", projectId),
);

/** In how many milliseconds the project may publish again, an hour at most; null: now. */
export async function untilNextMessage(
  transaction: Connection,
  projectId: number,
  nowMs: number,
): Promise<number | null> {
  const { quota } = await transaction
    .selectFrom("projects")
    .select("messages_per_hour_quota as quota")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  if (quota === 0) return hourMs;
  // The one that must be an hour old first.
  const last = await transaction
    .selectFrom("messages")
    .select("created_at_ms as madeAtMs")
    .where("project_id", "=", projectId)
    .where("created_at_ms", ">", nowMs - hourMs)
    .orderBy("created_at_ms", "desc")
    .offset(quota - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return null;
  // One from the future was written before the clock was put back.
  return Math.min(hourMs, last.madeAtMs + hourMs - nowMs);
}

/** Of both quotas. */
export async function usageOf(
  connection: Connection,
  projectId: number,
  nowMs: number,
): Promise<{ liveRegistrations: number; messagesWithinHour: number }> {
  const { liveRegistrations } = await connection
    .selectFrom("projects")
    .select("live_registrations as liveRegistrations")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  const { messagesWithinHour } = await connection
    .selectFrom("messages")
    .select((row) => row.fn.countAll<number>().as("messagesWithinHour"))
    .where("project_id", "=", projectId)
    .where("created_at_ms", ">", nowMs - hourMs)
    .executeTakeFirstOrThrow();
  return { liveRegistrations, messagesWithinHour };
}
