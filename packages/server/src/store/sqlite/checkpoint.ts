import { sql, type Selectable } from "kysely";
import type { Checkpoint, Checkpointed, Delivered, StoreReason } from "../port.ts";
import { failCancelled } from "./cancel.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { addCounts, noCounts } from "./counts.ts";
import { countInHour } from "./message-hours.ts";
import { holdsMoved, movedReason } from "./moved.ts";
import { keepRefusals } from "./refusals.ts";
import { scrubbed } from "./registrations.ts";
import type { Tables } from "./tables.ts";

type BatchRow = Pick<
  Selectable<Tables["batches"]>,
  "id" | "message_id" | "state" | "time_zones" | "cursor" | "last_id" | "due_at_ms"
>;

/** To be called in a transaction. */
export async function checkpoint(
  transaction: Connection,
  { batch: { id, cursor }, owner, to, walked, retried }: Checkpoint,
  nowMs: number,
): Promise<Checkpointed | null> {
  // Whatever its state: what was sent while somebody ended the batch is counted all the same.
  const { rows } = await moveCursor(transaction, { id, owner, from: cursor, to, nowMs });
  const batch = rows[0];
  if (batch === undefined) return null;

  await keepRefusals(transaction, [...walked, ...retried.map((each) => each.delivered)], nowMs);
  const counts = noCounts();
  const change = noCounts();
  const apart = await withRow(transaction, batch.message_id, walked);
  for (const delivered of walked) {
    // Nearly always, and then there is nothing to wait for.
    const isAccepted = delivered.kind === "accepted";
    const final = isAccepted ? delivered : await finalOf(transaction, batch, delivered, nowMs);
    if (apart.has(final.registrationId)) continue;
    counts[final.kind] += 1;
    change[final.kind] += 1;
    if (final.kind !== "accepted") await addException(transaction, batch, final, nowMs);
  }
  for (const { attempts, delivered } of retried) {
    const final = await finalOf(transaction, batch, delivered, nowMs);
    const settled = await settleRetry(transaction, batch, attempts, final, nowMs);
    if (settled === "not-there") continue;
    change.retry -= 1;
    if (settled === "withdrawn") continue;
    counts[final.kind] += 1;
    change[final.kind] += 1;
  }
  await addCounts(transaction, id, change);
  if (change.accepted > 0) {
    await countInHour(transaction, batch.message_id, { accepted: change.accepted }, nowMs);
  }
  return { counts, done: await goOn(transaction, batch, nowMs) };
}

type Move = { id: number; owner: string; from: number; to: number; nowMs: number };

const moveCursor = compileOnce((connection, { id, owner, from, to, nowMs }: Move) =>
  connection
    .updateTable("batches")
    .set({ cursor: to, lease_owner: null, lease_until_ms: null, worked_at_ms: nowMs })
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .where("cursor", "=", from)
    .returning(["id", "message_id", "state", "time_zones", "cursor", "last_id", "due_at_ms"]),
);

/** Who has a row is counted by that alone: they moved while this page was on its way (moved.ts). */
async function withRow(
  transaction: Connection,
  messageId: string,
  walked: readonly Delivered[],
): Promise<Set<number>> {
  if (walked.length === 0) return new Set();
  const ids = walked.map(({ registrationId }) => registrationId);
  const rows = await rowsOf(transaction, messageId, ids).execute();
  return new Set(rows.map((row) => row.registration_id));
}

export function rowsOf(connection: Connection, messageId: string, ids: readonly number[]) {
  return connection
    .selectFrom("message_exceptions")
    .select("registration_id")
    .where("message_id", "=", messageId)
    .where(
      "registration_id",
      "in",
      sql<number>`(select value from json_each(${JSON.stringify(ids)}))`,
    );
}

/**
 * What is written of an outcome. Ends a registration that is gone, in the generation that was sent to; if it has a
 * newer one, the message is still owed to that, at once. Of a batch that has ended nothing is tried again.
 */
async function finalOf(
  transaction: Connection,
  batch: BatchRow,
  delivered: Delivered,
  nowMs: number,
): Promise<Delivered> {
  const { registrationId, generation } = delivered;
  const renewed =
    delivered.kind === "gone" &&
    (await endAsGone(transaction, registrationId, generation, nowMs)) === "renewed";
  const retry: Delivered = renewed
    ? {
        registrationId,
        generation,
        kind: "retry",
        reason: renewedReason,
        detail: "",
        dueAtMs: nowMs,
        counted: true,
      }
    : delivered;
  if (retry.kind !== "retry" || batch.state === "open") return retry;
  return { registrationId, generation, kind: "failed", reason: batch.state, detail: retry.detail };
}

async function endAsGone(
  transaction: Connection,
  registrationId: number,
  generation: number,
  nowMs: number,
): Promise<"ended" | "renewed"> {
  const { numUpdatedRows } = await transaction
    .updateTable("registrations")
    .set({ ...scrubbed, ended_at_ms: nowMs, end_reason: "gone" })
    .where("id", "=", registrationId)
    .where("generation", "=", generation)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return "ended";
  const newer = await transaction
    .selectFrom("registrations")
    .select("id")
    .where("id", "=", registrationId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return newer === undefined ? "ended" : "renewed";
}

async function addException(
  transaction: Connection,
  batch: BatchRow,
  final: Exclude<Delivered, { kind: "accepted" }>,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("message_exceptions")
    .values({
      message_id: batch.message_id,
      registration_id: final.registrationId,
      batch_id: batch.id,
      attempts: attemptsAfter(0, final),
      ...exceptionColumns(final, nowMs),
    })
    .execute();
}

/**
 * Only if the retry still stands at this count of attempts, and is still this batch's.
 * @returns `withdrawn` for one that moved here and left the audience before anything was sent to it: it counts nowhere
 */
async function settleRetry(
  transaction: Connection,
  batch: BatchRow,
  attempts: number,
  final: Delivered,
  nowMs: number,
): Promise<"settled" | "withdrawn" | "not-there"> {
  const row = await transaction
    .selectFrom("message_exceptions")
    .select("reason")
    .where("message_id", "=", batch.message_id)
    .where("registration_id", "=", final.registrationId)
    .where("batch_id", "=", batch.id)
    .where("kind", "=", sql.lit("retry"))
    .where("attempts", "=", attempts)
    .executeTakeFirst();
  if (row === undefined) return "not-there";
  const withdrawn =
    row.reason === movedReason && final.kind === "failed" && final.reason === outOfAudience;
  // Who moved may be met again by a walk where they are now, so their row stays.
  const mayHaveMoved = holdsMoved(batch) || batch.time_zones !== null;
  if (withdrawn || (final.kind === "accepted" && !mayHaveMoved)) {
    await transaction
      .deleteFrom("message_exceptions")
      .where("message_id", "=", batch.message_id)
      .where("registration_id", "=", final.registrationId)
      .execute();
    return withdrawn ? "withdrawn" : "settled";
  }
  await transaction
    .updateTable("message_exceptions")
    .set({ attempts: attemptsAfter(attempts, final), ...exceptionColumns(final, nowMs) })
    .where("message_id", "=", batch.message_id)
    .where("registration_id", "=", final.registrationId)
    .execute();
  return "settled";
}

/** Reason of a retry of who was gone and came back meanwhile. */
export const renewedReason: StoreReason = "renewed";

/** What the delivery says of a retry without a recipient. */
const outOfAudience: StoreReason = "not-in-audience";

function attemptsAfter(attempts: number, final: Delivered): number {
  return final.kind === "retry" && !final.counted ? attempts : attempts + 1;
}

function exceptionColumns(final: Delivered, nowMs: number) {
  return {
    kind: final.kind,
    generation: final.generation,
    due_at_ms: final.kind === "retry" ? dueOf(final, nowMs) : null,
    reason: "reason" in final ? final.reason : final.kind,
    detail: "detail" in final ? final.detail : "",
    changed_at_ms: nowMs,
  };
}

/** A clock that was put back while the page was under way: it is due as soon as it was meant. */
function dueOf(
  { dueAtMs, setAtMs = 0 }: Extract<Delivered, { kind: "retry" }>,
  nowMs: number,
): number {
  return dueAtMs - Math.max(0, setAtMs - nowMs);
}

/** Says when the batch has something to do next, or ends it. @returns whether it has ended */
async function goOn(transaction: Connection, batch: BatchRow, nowMs: number): Promise<boolean> {
  if (batch.state !== "open") {
    await failCancelled(transaction, batch.id, nowMs);
    return true;
  }
  if (batch.cursor < batch.last_id) {
    await readyAgain(transaction, { batchId: batch.id, dueAtMs: batch.due_at_ms });
    return false;
  }
  const { rows } = await readNextRetry(transaction, { batchId: batch.id });
  const nextMs = rows[0]?.nextMs ?? null;
  // First attempts may come later than the TTL; once nothing but retries is left, the batch ends with it. One for who
  // moved may hold first attempts among them.
  const endsWithTtl = !holdsMoved(batch);
  await transaction
    .updateTable("batches")
    .set(nextMs === null ? { state: "done" } : { ready_at_ms: nextMs })
    .$if(endsWithTtl, (update) => update.set({ expires_at_ms: untilTtl }))
    .where("id", "=", batch.id)
    .execute();
  return nextMs === null;
}

const readyAgain = compileOnce(
  (connection, { batchId, dueAtMs }: { batchId: number; dueAtMs: number }) =>
    connection.updateTable("batches").set({ ready_at_ms: dueAtMs }).where("id", "=", batchId),
);

const untilTtl = sql<number>`min(expires_at_ms, due_at_ms + 1000 * (
  select ttl_seconds from messages where messages.id = batches.message_id))`;

export function nextRetry(connection: Connection, batchId: number) {
  return connection
    .selectFrom("message_exceptions")
    .select((row) => row.fn.min<number | null>("due_at_ms").as("nextMs"))
    .where("batch_id", "=", batchId)
    .where("kind", "=", sql.lit("retry"));
}

const readNextRetry = compileOnce((connection, { batchId }: { batchId: number }) =>
  nextRetry(connection, batchId),
);
