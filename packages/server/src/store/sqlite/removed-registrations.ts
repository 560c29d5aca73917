/** Registrations that have ended go, with all that is theirs: after the time that they are kept, or when a project has too many of them. */
import { sql } from "kysely";
import type { Delivered } from "../port.ts";
import type { Connection } from "./connection.ts";
import { addCounts, noCounts } from "./counts.ts";
import { valuesOf } from "./memberships.ts";
import { endIfEmpty, movedReason } from "./moved.ts";

/**
 * To be called in a transaction. The figures of messages stay. What was still to be tried again at one of these registrations has failed;
 * what was never tried counts nowhere.
 */
export async function removeRegistrations(
  transaction: Connection,
  ids: readonly number[],
): Promise<void> {
  const theirs = valuesOf<number>(ids);
  const retries = await transaction
    .selectFrom("message_exceptions")
    .select(["batch_id", "reason"])
    .where("registration_id", "in", theirs)
    .where("kind", "=", sql.lit("retry"))
    .$narrowType<{ batch_id: number }>()
    .execute();
  for (const table of ["receipts", "registration_topics", "message_exceptions"] as const) {
    await transaction.deleteFrom(table).where("registration_id", "in", theirs).execute();
  }
  for (const [batchId, own] of Map.groupBy(retries, (each) => each.batch_id)) {
    const failed = own.filter(({ reason }) => reason !== movedReason).length;
    await addCounts(transaction, batchId, { ...noCounts(), failed, retry: -own.length });
    await endIfEmpty(transaction, batchId);
  }
  await transaction.deleteFrom("registrations").where("id", "in", theirs).execute();
}

/** To be called in a transaction. Those that ended first, so many of a project's. */
export async function removeOldestEnded(
  transaction: Connection,
  projectId: number,
  count: number,
): Promise<void> {
  const oldest = await oldestEnded(transaction, projectId, count).execute();
  await removeRegistrations(
    transaction,
    oldest.map(({ id }) => id),
  );
}

export function oldestEnded(connection: Connection, projectId: number, count: number) {
  return connection
    .selectFrom("registrations")
    .select("id")
    .where("project_id", "=", projectId)
    .where("ended_at_ms", "is not", null)
    .orderBy("ended_at_ms")
    .limit(count);
}

/** To be called in the transaction in which it left. A registration that no message was sent to has no story to be kept. */
export async function removeIfNeverSentTo(transaction: Connection, id: number): Promise<void> {
  const unsent = await transaction
    .selectFrom("registrations")
    .innerJoin("projects", "projects.id", "registrations.project_id")
    .select("registrations.id")
    .where("registrations.id", "=", id)
    .whereRef("registrations.id", ">", "projects.watermark")
    .executeTakeFirst();
  if (unsent !== undefined) await removeRegistrations(transaction, [id]);
}

/** To be called in a transaction. Registrations that were removed while a page was on its way; of those that did not accept alone. */
export async function removedAmong(
  transaction: Connection,
  walked: readonly Delivered[],
): Promise<ReadonlySet<number>> {
  const ids = walked.filter(({ kind }) => kind !== "accepted").map((each) => each.registrationId);
  if (ids.length === 0) return new Set();
  const there = await transaction
    .selectFrom("registrations")
    .select("id")
    .where("id", "in", valuesOf<number>(ids))
    .execute();
  const left = new Set(there.map(({ id }) => id));
  return new Set(ids.filter((id) => !left.has(id)));
}
