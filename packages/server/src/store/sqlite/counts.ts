/** The five figures of a message: in all, and at each push service, which add up to those of the message. */
import { sql } from "kysely";
import type { OutcomeCounts } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

export function noCounts(): OutcomeCounts {
  return { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };
}

/**
 * Adds to the figures of a batch, of its push service and of its message. A registration that came into the audience after the
 * batch was planned counts as planned from then on.
 */
export async function addCounts(
  transaction: Connection,
  batchId: number,
  counts: OutcomeCounts,
): Promise<void> {
  const settled = counts.accepted + counts.gone + counts.rejected + counts.failed;
  const { rows } = await addToBatch(transaction, { batchId, settled, retry: counts.retry });
  const batch = rows[0];
  if (batch === undefined) throw new Error(`the batch ${batchId} is not there`);
  const more = Math.max(0, batch.settled + batch.retry - batch.planned);
  if (more > 0) {
    await transaction
      .updateTable("batches")
      .set((row) => ({ planned: row("planned", "+", more) }))
      .where("id", "=", batchId)
      .execute();
  }
  const { message_id: messageId, push_service: pushService } = batch;
  await addToMessage(transaction, { messageId, pushService, planned: more, ...counts });
}

const addToBatch = compileOnce(
  (connection, { batchId, settled, retry }: { batchId: number; settled: number; retry: number }) =>
    connection
      .updateTable("batches")
      .set((row) => ({
        settled: row("settled", "+", settled),
        retry: row("retry", "+", retry),
      }))
      .where("id", "=", batchId)
      .returning(["message_id", "push_service", "planned", "settled", "retry"]),
);

type Added = OutcomeCounts & { messageId: string; pushService: string; planned: number };

/** To be called in a transaction. Any of the figures may be below 0: so many less. */
export async function addToMessage(transaction: Connection, added: Added): Promise<void> {
  await addToService(transaction, added);
  await addToWhole(transaction, added);
}

const addToService = compileOnce(
  (_, { messageId, pushService, planned, accepted, gone, retry, rejected, failed }: Added) => sql`
    insert into message_services (message_id, push_service, planned, accepted, gone, retry, rejected, failed)
    values (${messageId}, ${pushService}, ${planned}, ${accepted}, ${gone}, ${retry}, ${rejected}, ${failed})
    on conflict do update set planned = planned + excluded.planned, accepted = accepted + excluded.accepted,
      gone = gone + excluded.gone, retry = retry + excluded.retry, rejected = rejected + excluded.rejected,
      failed = failed + excluded.failed`,
);

const addToWhole = compileOnce((connection, added: Omit<Added, "pushService">) =>
  connection
    .updateTable("messages")
    .set((row) => ({
      planned_count: row("planned_count", "+", added.planned),
      accepted: row("accepted", "+", added.accepted),
      gone: row("gone", "+", added.gone),
      retry: row("retry", "+", added.retry),
      rejected: row("rejected", "+", added.rejected),
      failed: row("failed", "+", added.failed),
    }))
    .where("id", "=", added.messageId),
);

/** Registrations that were planned in one batch are planned in another one of the message. To be called in a transaction. */
export async function movePlanned(
  transaction: Connection,
  { from, to, count }: { from: number; to: number; count: number },
): Promise<void> {
  const change = async (id: number, by: number) => {
    const batch = await transaction
      .updateTable("batches")
      .set((row) => ({ planned: row("planned", "+", by) }))
      .where("id", "=", id)
      .returning(["message_id", "push_service"])
      .executeTakeFirstOrThrow();
    return { messageId: batch.message_id, pushService: batch.push_service, planned: by };
  };
  const less = await change(from, -count);
  const more = await change(to, count);
  if (less.pushService === more.pushService) return;
  for (const each of [less, more]) await addToMessage(transaction, { ...noCounts(), ...each });
}

/** Of a batch that is at its end: registrations that left before their turn count as planned no more. */
export async function dropUnreached(transaction: Connection, batchId: number): Promise<void> {
  const batch = await transaction
    .selectFrom("batches")
    .select((row) => [
      "message_id",
      "push_service",
      sql<number>`planned - settled - ${row.ref("retry")}`.as("unreached"),
    ])
    .where("id", "=", batchId)
    .executeTakeFirstOrThrow();
  if (batch.unreached <= 0) return;
  await transaction
    .updateTable("batches")
    .set((row) => ({ planned: row("planned", "-", batch.unreached) }))
    .where("id", "=", batchId)
    .execute();
  await addToMessage(transaction, {
    ...noCounts(),
    messageId: batch.message_id,
    pushService: batch.push_service,
    planned: -batch.unreached,
  });
}
