import { sql, type RawBuilder, type Selectable } from "kysely";
import type { Batch, Checkpoint, Checkpointed, Delivered, StoreReason } from "../port.ts";
import { batchColumns, holdsMoved, untilTtl, type BatchRow } from "./batch-rows.ts";
import { failCancelled } from "./cancel.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { addCounts, dropUnreached, noCounts } from "./counts.ts";
import { endAsGone } from "./gone.ts";
import { markAccepted } from "./gone-endpoints.ts";
import { keepOwed, keepServed } from "./keep-turns.ts";
import { countInHour } from "./message-hours.ts";
import { movedReason, removeEmptyHost } from "./moved.ts";
import { noteAccepted } from "./proven-origins.ts";
import { keepRefusals } from "./refusals.ts";
import { split } from "./split.ts";
import type { Tables } from "./tables.ts";

type OpenBatch = BatchRow & Pick<Selectable<Tables["batches"]>, "state">;

/** To be called in a transaction. */
export async function checkpoint(
  transaction: Connection,
  { batch: { id, epoch, cursor }, owner, to, walked, retried, splits = [] }: Checkpoint,
  nowMs: number,
): Promise<Checkpointed | null> {
  // Whatever its state: what was sent while the batch ended is counted all the same.
  const { rows } = await moveCursor(transaction, { id, epoch, owner, from: cursor, to });
  const batch = rows[0];
  if (batch === undefined) return null;

  const all = [...walked, ...retried.map((each) => each.delivered)];
  await keepRefusals(transaction, all, nowMs);
  await noteAccepted(transaction, batch.vapid_key_id, all, nowMs);
  await markAccepted(transaction, all);
  const counts = noCounts();
  const change = noCounts();
  const apart = await withRow(transaction, batch.message_id, walked);
  const accepted: number[] = [];
  for (const delivered of walked) {
    // Nearly always, and then there is nothing to wait for.
    const isAccepted = delivered.kind === "accepted";
    const final = isAccepted ? delivered : await finalOf(transaction, batch, delivered, nowMs);
    if (apart.has(final.registrationId)) continue;
    counts[final.kind] += 1;
    change[final.kind] += 1;
    if (final.kind === "accepted") accepted.push(final.registrationId);
    else await addException(transaction, batch, final, nowMs);
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
  await keepServed(transaction, batch, { accepted, splits }, nowMs);
  const made: (Batch | null)[] = [];
  if (batch.state === "open" && splits.length > 0) {
    const ids = new Set(walked.map(({ registrationId }) => registrationId));
    await keepOwed(transaction, batch, { from: cursor, to, walked: ids, splits }, nowMs);
    for (const each of splits) {
      const { parent, child } = await split(transaction, batch, each, owner);
      made.push(child);
      Object.assign(batch, parent);
    }
  }
  // Of a cancelled batch what is under way at slow push origins is counted under a lease of its own all the same.
  for (const each of batch.state === "cancelled" ? splits : []) {
    if (each.leaseUntilMs === null) continue;
    const { parent, child } = await split(transaction, batch, each, owner);
    made.push(child);
    Object.assign(batch, parent);
  }
  return { counts, done: await goOn(transaction, batch, nowMs), splits: made };
}

type Move = { id: number; epoch: number; owner: string; from: number; to: number };

const moveCursor = compileOnce((connection, { id, epoch, owner, from, to }: Move) =>
  connection
    .updateTable("batches")
    .set({ cursor: to, lease_owner: null, lease_until_ms: null, stopped: 0 })
    .where("id", "=", id)
    .where("lease_epoch", "=", epoch)
    .where("lease_owner", "=", owner)
    .where("cursor", "=", from)
    .returning([...batchColumns, "state"])
    .$castTo<OpenBatch>(),
);

/** A registration with a row is counted by that alone: it moved while this page was on its way (moved.ts). */
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
  batch: OpenBatch,
  delivered: Delivered,
  nowMs: number,
): Promise<Delivered> {
  const { registrationId, generation, pushOrigin } = delivered;
  const renewed =
    delivered.kind === "gone" &&
    (await endAsGone(transaction, batch, delivered, nowMs)) === "renewed";
  const retry: Delivered = renewed
    ? {
        registrationId,
        generation,
        pushOrigin,
        kind: "retry",
        reason: renewedReason,
        detail: "",
        dueAtMs: nowMs,
        counted: true,
      }
    : delivered;
  if (retry.kind !== "retry" || batch.state === "open") return retry;
  const { detail } = retry;
  return { registrationId, generation, pushOrigin, kind: "failed", reason: batch.state, detail };
}

async function addException(
  transaction: Connection,
  batch: OpenBatch,
  final: Exclude<Delivered, { kind: "accepted" }>,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("message_exceptions")
    .values({
      message_id: batch.message_id,
      registration_id: final.registrationId,
      attempts: attemptsAfter(0, final),
      first_tried_at_ms: isAttempt(final) ? nowMs : null,
      ...exceptionColumns(batch, final, nowMs),
    })
    .execute();
}

/**
 * Only if the retry still stands at this count of attempts, and is still this batch's.
 * @returns `withdrawn` for one that moved here and left the audience before anything was sent to it: it counts nowhere
 */
async function settleRetry(
  transaction: Connection,
  batch: OpenBatch,
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
  // One that moved may be met again by a walk where it is now, so its row stays.
  const isAhead = batch.cursor < final.registrationId;
  const mayBeMet = isAhead || holdsMoved(batch) || batch.time_zones !== null;
  if (withdrawn || (final.kind === "accepted" && !mayBeMet)) {
    await transaction
      .deleteFrom("message_exceptions")
      .where("message_id", "=", batch.message_id)
      .where("registration_id", "=", final.registrationId)
      .execute();
    return withdrawn ? "withdrawn" : "settled";
  }
  await transaction
    .updateTable("message_exceptions")
    .set((exception) => ({
      attempts: attemptsAfter(attempts, final),
      ...(isAttempt(final)
        ? { first_tried_at_ms: exception.fn.coalesce("first_tried_at_ms", exception.val(nowMs)) }
        : {}),
      ...exceptionColumns(batch, final, nowMs),
    }))
    .where("message_id", "=", batch.message_id)
    .where("registration_id", "=", final.registrationId)
    .execute();
  return "settled";
}

/** Reason of a retry of a registration that was gone and came back meanwhile. */
export const renewedReason: StoreReason = "renewed";

/** What the delivery says of a retry without a recipient. */
const outOfAudience: StoreReason = "not-in-audience";

function attemptsAfter(attempts: number, final: Delivered): number {
  return isAttempt(final) ? attempts + 1 : attempts;
}

function isAttempt(final: Delivered): boolean {
  return final.kind !== "retry" || final.counted;
}

function exceptionColumns(batch: OpenBatch, final: Delivered, nowMs: number) {
  return {
    batch_id: final.kind === "retry" ? batch.id : null,
    push_origin: final.kind === "retry" ? whereNow(batch, final) : final.pushOrigin,
    kind: final.kind,
    generation: final.generation,
    due_at_ms: final.kind === "retry" ? dueOf(final, nowMs) : null,
    reason: "reason" in final ? final.reason : final.kind,
    detail: "detail" in final ? final.detail : "",
    changed_at_ms: nowMs,
  };
}

/** A registration may have got another host of the vendor while the page was under way: it is tried again there. */
function whereNow(
  { push_service: pushService, vapid_key_id: vapidKeyId }: OpenBatch,
  { registrationId, pushOrigin }: Delivered,
): RawBuilder<string> {
  return sql`coalesce((select push_origin from registrations where id = ${registrationId}
    and push_service = ${pushService} and vapid_key_id = ${vapidKeyId}), ${pushOrigin})`;
}

/** A clock that was put back while the page was under way: it is due as soon as it was meant. */
function dueOf(
  { dueAtMs, setAtMs = 0 }: Extract<Delivered, { kind: "retry" }>,
  nowMs: number,
): number {
  return dueAtMs - Math.max(0, setAtMs - nowMs);
}

/** Says when the batch has something to do next, or ends it. @returns whether it has ended */
async function goOn(transaction: Connection, batch: OpenBatch, nowMs: number): Promise<boolean> {
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
  // First attempts may come later than the TTL; once nothing but retries is left, the batch ends with it. One for registrations
  // that moved may hold first attempts among them.
  const endsWithTtl = !holdsMoved(batch);
  await transaction
    .updateTable("batches")
    .set(nextMs === null ? { state: "done" } : { ready_at_ms: nextMs })
    .$if(endsWithTtl, (update) => update.set({ expires_at_ms: untilTtl }))
    .where("id", "=", batch.id)
    .execute();
  if (nextMs === null) {
    await dropUnreached(transaction, batch.id);
    if (holdsMoved(batch)) await removeEmptyHost(transaction, batch.id);
  }
  return nextMs === null;
}

const readyAgain = compileOnce(
  (connection, { batchId, dueAtMs }: { batchId: number; dueAtMs: number }) =>
    connection.updateTable("batches").set({ ready_at_ms: dueAtMs }).where("id", "=", batchId),
);

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
