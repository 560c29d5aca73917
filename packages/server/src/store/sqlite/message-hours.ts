/** What became of a message hour by hour: counted in the transaction of what is counted. */
import type { HourCounts } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

const hourMs = 3_600_000;

/** Hours begin with those of UTC. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / hourMs) * hourMs;
}

const none: HourCounts = { accepted: 0, displayed: 0, clicked: 0, closed: 0 };

/** For the transaction that counts the same in the message's own figures. */
export async function countInHour(
  transaction: Connection,
  messageId: string,
  counts: Partial<HourCounts>,
  atMs: number,
): Promise<void> {
  await addToHour(transaction, { messageId, hour: hourOf(atMs), ...none, ...counts });
}

type OfHour = HourCounts & { messageId: string; hour: number };

const addToHour = compileOnce(
  (connection, { messageId, hour, accepted, displayed, clicked, closed }: OfHour) =>
    connection
      .insertInto("message_hours")
      .values({ message_id: messageId, hour_ms: hour, accepted, displayed, clicked, closed })
      .onConflict((conflict) =>
        conflict.columns(["message_id", "hour_ms"]).doUpdateSet((row) => ({
          accepted: row("message_hours.accepted", "+", row.ref("excluded.accepted")),
          displayed: row("message_hours.displayed", "+", row.ref("excluded.displayed")),
          clicked: row("message_hours.clicked", "+", row.ref("excluded.clicked")),
          closed: row("message_hours.closed", "+", row.ref("excluded.closed")),
        })),
      ),
);

/** `HourOfMessage`s. */
export function hoursOf(connection: Connection, messageId: string) {
  return connection
    .selectFrom("message_hours")
    .select(["hour_ms as hourMs", "accepted", "displayed", "clicked", "closed"])
    .where("message_id", "=", messageId)
    .orderBy("hour_ms");
}
