import { sql } from "kysely";
import type { Delivered, DeliveryStore, OutcomeCounts } from "../port.ts";
import { audience, between, oneOf } from "./audience.ts";
import type { Connection } from "./connection.ts";
import { messageFromRow } from "./messages.ts";
import { scrubbed } from "./registrations.ts";

export function deliveryStore(connection: Connection): DeliveryStore {
  return {
    async nextDue(nowMs, worked) {
      const found = await connection
        .selectFrom("messages")
        .selectAll()
        .where(sql<boolean>`state in ('scheduled', 'sending')`)
        .where("scheduled_at_ms", "<=", nowMs)
        .where((row) =>
          row.or([
            row("state", "=", sql.lit("scheduled")),
            row("cursor", "<", row.ref("watermark")),
            // Walked and settled, but not yet marked as done.
            row("retry", "=", 0),
            row(expiresAtMs, "<=", nowMs),
            row.exists(
              row
                .selectFrom("message_exceptions")
                .select("registration_id")
                .whereRef("message_id", "=", "messages.id")
                .where("kind", "=", sql.lit("retry"))
                .where("due_at_ms", "<=", nowMs),
            ),
          ]),
        )
        // Null, which SQLite sorts first, for a message that has had no turn.
        .orderBy(
          sql`(select key from json_each(${JSON.stringify(worked)}) where value = messages.id)`,
        )
        .orderBy("scheduled_at_ms")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      return found === undefined ? null : messageFromRow(found);
    },

    async startSending(messageId, nowMs) {
      const { numUpdatedRows } = await connection
        .updateTable("messages")
        .set((row) => ({
          state: "sending",
          started_at_ms: nowMs,
          watermark: row
            .selectFrom("registrations")
            .select((registration) =>
              registration.fn.coalesce(registration.fn.max<number>("id"), sql.lit(0)).as("id"),
            )
            .whereRef("registrations.project_id", "=", "messages.project_id")
            .where("ended_at_ms", "is", null),
        }))
        .where("id", "=", messageId)
        .where("state", "=", sql.lit("scheduled"))
        .where("scheduled_at_ms", "<=", nowMs)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async audiencePage(message, afterId, limit) {
      const part = between(afterId, message.watermark ?? 0);
      return audience(connection, message, part, limit).execute();
    },

    checkpoint: (page, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("messages")
          .set({ cursor: page.to })
          .where("id", "=", page.messageId)
          .where("state", "=", sql.lit("sending"))
          .where("cursor", "=", page.from)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        const counts = noCounts();
        for (const delivered of page.delivered) {
          const final = await endIfGone(transaction, delivered, nowMs);
          counts[final.kind] += 1;
          if (final.kind === "accepted") continue;
          await transaction
            .insertInto("message_exceptions")
            .values({
              message_id: page.messageId,
              registration_id: final.registrationId,
              attempts: attemptsAfter(0, final),
              ...exceptionColumns(final, nowMs),
            })
            .execute();
        }
        await addCounts(transaction, page.messageId, counts);
        return true;
      }),

    async dueRetries(message, nowMs, limit) {
      const due = await connection
        .selectFrom("message_exceptions")
        .select(["registration_id", "attempts"])
        .where("message_id", "=", message.id)
        .where("kind", "=", sql.lit("retry"))
        .where("due_at_ms", "<=", nowMs)
        .orderBy("due_at_ms")
        .limit(limit)
        .execute();
      if (due.length === 0) return [];
      // Not those who left the topic, or whose browser is another user's now.
      const part = oneOf(due.map((row) => row.registration_id));
      const still = await audience(connection, message, part, due.length).execute();
      const byId = new Map(still.map((recipient) => [recipient.registrationId, recipient]));
      return due.map((row) => ({
        registrationId: row.registration_id,
        attempts: row.attempts,
        recipient: byId.get(row.registration_id) ?? null,
      }));
    },

    settleRetries: (messageId, settled, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const counts = noCounts();
        for (const { attempts, delivered } of settled) {
          const final = await endIfGone(transaction, delivered, nowMs);
          const changed = await settleRetry(transaction, messageId, attempts, final, nowMs);
          if (!changed) continue;
          counts.retry -= 1;
          counts[final.kind] += 1;
        }
        await addCounts(transaction, messageId, counts);
      }),

    async finish(messageId, nowMs) {
      const { numUpdatedRows } = await connection
        .updateTable("messages")
        .set({ state: "done", ended_at_ms: nowMs })
        .where("id", "=", messageId)
        .where("state", "=", sql.lit("sending"))
        .where("retry", "=", 0)
        .where((row) => row("cursor", ">=", row.ref("watermark")))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    expire: (messageId, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("messages")
          .set((row) => ({
            state: "done",
            ended_at_ms: nowMs,
            failed: row("failed", "+", row.ref("retry")),
            retry: 0,
          }))
          .where("id", "=", messageId)
          .where("state", "in", ["scheduled", "sending"])
          .where(expiresAtMs, "<=", nowMs)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await transaction
          .updateTable("message_exceptions")
          .set({ kind: "failed", due_at_ms: null, reason: "expired", changed_at_ms: nowMs })
          .where("message_id", "=", messageId)
          .where("kind", "=", sql.lit("retry"))
          .execute();
        return true;
      }),
  };
}

// States and kinds in conditions are literals: SQLite uses a partial index only for a condition it can see.
const expiresAtMs = sql<number>`scheduled_at_ms + ttl_seconds * 1000`;

/**
 * Ends a registration that is gone, in the generation that was sent to. If it has a newer one, the message is
 * still owed to that: the outcome becomes a retry that is due at once.
 */
async function endIfGone(
  transaction: Connection,
  delivered: Delivered,
  nowMs: number,
): Promise<Delivered> {
  if (delivered.kind !== "gone") return delivered;
  const { registrationId, generation } = delivered;
  const { numUpdatedRows } = await transaction
    .updateTable("registrations")
    .set({ ...scrubbed, ended_at_ms: nowMs, end_reason: "gone" })
    .where("id", "=", registrationId)
    .where("generation", "=", generation)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return delivered;
  const renewed = await transaction
    .selectFrom("registrations")
    .select("id")
    .where("id", "=", registrationId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return renewed === undefined
    ? delivered
    : {
        registrationId,
        generation,
        kind: "retry",
        reason: "renewed",
        detail: "",
        dueAtMs: nowMs,
        counted: true,
      };
}

/** Only if the retry still stands at this count of attempts. */
async function settleRetry(
  transaction: Connection,
  messageId: string,
  attempts: number,
  final: Delivered,
  nowMs: number,
): Promise<boolean> {
  if (final.kind === "accepted") {
    const { numDeletedRows } = await transaction
      .deleteFrom("message_exceptions")
      .where("message_id", "=", messageId)
      .where("registration_id", "=", final.registrationId)
      .where("kind", "=", sql.lit("retry"))
      .where("attempts", "=", attempts)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
  const { numUpdatedRows } = await transaction
    .updateTable("message_exceptions")
    .set({ attempts: attemptsAfter(attempts, final), ...exceptionColumns(final, nowMs) })
    .where("message_id", "=", messageId)
    .where("registration_id", "=", final.registrationId)
    .where("kind", "=", sql.lit("retry"))
    .where("attempts", "=", attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function attemptsAfter(attempts: number, final: Delivered): number {
  return final.kind === "retry" && !final.counted ? attempts : attempts + 1;
}

function exceptionColumns(final: Exclude<Delivered, { kind: "accepted" }>, nowMs: number) {
  return {
    kind: final.kind,
    generation: final.generation,
    due_at_ms: final.kind === "retry" ? final.dueAtMs : null,
    reason: final.kind === "gone" ? "gone" : final.reason,
    detail: final.kind === "gone" ? "" : final.detail,
    changed_at_ms: nowMs,
  };
}

function noCounts(): OutcomeCounts {
  return { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };
}

async function addCounts(transaction: Connection, messageId: string, counts: OutcomeCounts) {
  await transaction
    .updateTable("messages")
    .set((row) => ({
      accepted: row("accepted", "+", counts.accepted),
      gone: row("gone", "+", counts.gone),
      retry: row("retry", "+", counts.retry),
      rejected: row("rejected", "+", counts.rejected),
      failed: row("failed", "+", counts.failed),
    }))
    .where("id", "=", messageId)
    .execute();
}
