/** Registrations that a push service says are gone: they may come back while messages are being sent that they have had already. */
import { sql } from "kysely";
import type { Delivered } from "../port.ts";
import { covers, type BatchRow, type Place } from "./batch-rows.ts";
import type { Connection } from "./connection.ts";
import { rememberGone } from "./gone-endpoints.ts";
import { scrubbed } from "./registrations.ts";

/** The message of a page. */
type Sent = Pick<BatchRow, "message_id" | "project_id">;

/** Only in the generation that was sent to. @returns `renewed` if it has a newer one */
export async function endAsGone(
  transaction: Connection,
  batch: Sent,
  { registrationId, generation }: Delivered,
  nowMs: number,
): Promise<"ended" | "renewed"> {
  await rememberGone(transaction, { registrationId, generation }, nowMs);
  const ended = await transaction
    .updateTable("registrations")
    .set({ ...scrubbed, ended_at_ms: nowMs, end_reason: "gone" })
    .where("id", "=", registrationId)
    .where("generation", "=", generation)
    .where("ended_at_ms", "is", null)
    .returning(["push_service", "push_origin", "vapid_key_id", "time_zone"])
    .executeTakeFirst();
  if (ended !== undefined) {
    const passed = await passedBy(transaction, batch, registrationId, ended).execute();
    if (passed.length > 0) {
      await transaction
        .updateTable("registrations")
        .set({ passed_messages: JSON.stringify(passed.map(({ id }) => id)) })
        .where("id", "=", registrationId)
        .execute();
    }
    return "ended";
  }
  const newer = await transaction
    .selectFrom("registrations")
    .select("id")
    .where("id", "=", registrationId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return newer === undefined ? "ended" : "renewed";
}

/** Other messages that are being sent and whose walk has passed this registration: if it comes back, they are not sent to it again. */
export function passedBy(
  connection: Connection,
  { message_id, project_id }: Sent,
  registrationId: number,
  place: Place,
) {
  return (
    connection
      .selectFrom("messages")
      .select("id")
      // Of a thousand messages they are one or two, which no statistics of the column tell.
      .where(sql<boolean>`unlikely(state in ('sending', 'paused'))`)
      .where(sql<boolean>`+messages.project_id = ${project_id}`)
      .where("id", "<>", message_id)
      .where("watermark", ">=", registrationId)
      .where("cursor", ">=", registrationId)
      .where((message) =>
        message.not(
          message.exists(
            connection
              .selectFrom("batches")
              .select("batches.id")
              .where("batches.message_id", "=", message.ref("messages.id"))
              .where("batches.state", "=", sql.lit("open"))
              .where("batches.cursor", "<", registrationId)
              .where("batches.last_id", ">=", registrationId)
              .where(covers(place)),
          ),
        ),
      )
  );
}
