/** What became of a message hour by hour: counted in the transaction of what is counted. */
import type { HourCounts } from "../port.ts";
import type { Connection } from "./connection.ts";

const hourMs = 3_600_000;

/** For the transaction that counts the same in the message's own figures. */
export async function countInHour(
  transaction: Connection,
  messageId: string,
  [event, count]: [event: keyof HourCounts, count: number],
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("message_hours")
    .values({ message_id: messageId, hour_ms: Math.floor(nowMs / hourMs) * hourMs, [event]: count })
    .onConflict((conflict) =>
      conflict
        .columns(["message_id", "hour_ms"])
        .doUpdateSet((row) => ({ [event]: row(`message_hours.${event}`, "+", count) })),
    )
    .execute();
}

/** `HourOfMessage`s. */
export function hoursOf(connection: Connection, messageId: string) {
  return connection
    .selectFrom("message_hours")
    .select(["hour_ms as hourMs", "accepted", "displayed", "clicked", "closed"])
    .where("message_id", "=", messageId)
    .orderBy("hour_ms");
}
