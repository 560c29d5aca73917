/** Registrations that have ended go, with all that is theirs: after the time that they are kept, or when a project has too many of them. */
import type { Connection } from "./connection.ts";
import { valuesOf } from "./memberships.ts";

/** Tables with rows of a registration (column `registration_id`). The server deletes the rows with the registration. */
export const ownTables = [
  "receipts",
  "registration_topics",
  "registration_losses",
  "gone_endpoints",
] as const;

/** To be called in a transaction. What a message has met at them stays with the message, and so do its figures. */
export async function removeRegistrations(
  transaction: Connection,
  ids: readonly number[],
): Promise<void> {
  const theirs = valuesOf<number>(ids);
  for (const table of ownTables) {
    await transaction.deleteFrom(table).where("registration_id", "in", theirs).execute();
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
