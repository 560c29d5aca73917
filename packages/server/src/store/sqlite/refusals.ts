/** Who is refused by a push service for what may be their own fault. */
import { sql } from "kysely";
import type { Delivered } from "../port.ts";
import type { Connection } from "./connection.ts";

/** To be called in a transaction. Only in the generation that was sent to: whoever has renewed begins anew. */
export async function keepRefusals(
  transaction: Connection,
  delivered: readonly Delivered[],
  nowMs: number,
): Promise<void> {
  for (const refused of [true, false]) {
    const those = delivered.filter((each) => each.refused === refused);
    if (those.length === 0) continue;
    await setRefused(transaction, those, refused ? nowMs : null).execute();
  }
}

/** Refused again, it stays refused since then. */
export function setRefused(
  connection: Connection,
  those: readonly Delivered[],
  refusedAtMs: number | null,
) {
  const list = JSON.stringify(those.map((each) => [each.registrationId, each.generation]));
  return connection
    .updateTable("registrations")
    .from(sql`json_each(${list})`.as("sent"))
    .set((row) => ({
      refused_at_ms:
        refusedAtMs === null ? null : row.fn.coalesce("refused_at_ms", row.val(refusedAtMs)),
    }))
    .where(sql<boolean>`registrations.id = sent.value ->> 0`)
    .where(sql<boolean>`registrations.generation = sent.value ->> 1`);
}
