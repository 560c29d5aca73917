import { sql, type Selectable } from "kysely";
import type { ReceiptEvent } from "@sineta/protocol";
import type { NewReceipt, ReceiptCounts, ReceiptStore } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { gatherWrites } from "./gathered-writes.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { countInHour, hourOf } from "./message-hours.ts";
import type { Tables } from "./tables.ts";

type Coming = NewReceipt & { receivedAtMs: number };

export function receiptStore(grouped: GroupedWrite, reading: Connection): ReceiptStore {
  const receipts = gatherWrites(grouped, keep);
  return {
    add: (receipt, nowMs) => receipts.write({ ...receipt, receivedAtMs: nowMs }),

    async clicksByAction(messageId) {
      const rows = await clicksOf(reading, messageId).execute();
      return new Map(rows.map(({ action, count }) => [action, count]));
    },
  };
}

/** @returns for each whether message and registration are of the project, and the message's receipts are still kept */
async function keep(transaction: Connection, receipts: readonly Coming[]): Promise<boolean[]> {
  const named = receipts.map((each) => [each.projectId, each.messageId, each.token]);
  const { rows: reporters } = await findReporters(transaction, { named: JSON.stringify(named) });
  const found = receipts.map(() => false);
  const wanted: Row[] = [];
  for (const { place, registrationId, isWanted } of reporters) {
    found[place] = true;
    const receipt = receipts[place];
    if (isWanted === 0 || receipt === undefined) continue;
    const { messageId, event, receivedAtMs, action } = receipt;
    wanted.push([messageId, registrationId, event, receivedAtMs, action]);
  }
  if (wanted.length > 0) {
    const { rows: added } = await addNew(transaction, { rows: JSON.stringify(wanted) });
    await countAdded(transaction, added);
  }
  return found;
}

/** In the order in which `addNew` reads it. */
type Row = [
  messageId: string,
  registrationId: number,
  event: ReceiptEvent,
  receivedAtMs: number,
  action: string | null,
];

type Added = Pick<Selectable<Tables["receipts"]>, "message_id" | "kind" | "received_at_ms">;

async function countAdded(transaction: Connection, added: readonly Added[]): Promise<void> {
  for (const [messageId, ofMessage] of Map.groupBy(added, (each) => each.message_id)) {
    await addToMessage(transaction, { messageId, ...countsOf(ofMessage) });
    for (const [hour, ofHour] of Map.groupBy(ofMessage, (each) => hourOf(each.received_at_ms))) {
      await countInHour(transaction, messageId, countsOf(ofHour), hour);
    }
  }
}

function countsOf(added: readonly Added[]): ReceiptCounts {
  const counts = { displayed: 0, clicked: 0, closed: 0 };
  for (const { kind } of added) counts[kind] += 1;
  return counts;
}

/** The cross joins keep SQLite to this order: it is asked for these alone. */
const findReporters = compileOnce(
  (_, { named }: { named: string }) => sql<{
    place: number;
    registrationId: number;
    isWanted: 0 | 1;
  }>`
    select named.key as place, registrations.id as registrationId, receipts as isWanted
    from json_each(${named}) as named
      cross join registrations on token = named.value ->> 2
      cross join messages on messages.id = named.value ->> 1
      cross join projects on projects.id = named.value ->> 0
    where registrations.project_id = projects.id and messages.project_id = projects.id
      and ifnull(messages.ended_at_ms >= projects.receipts_from_ms, true)`,
);

const addNew = compileOnce(
  (_, { rows }: { rows: string }) => sql<Added>`
    insert into receipts (message_id, registration_id, kind, received_at_ms, action)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(${rows})
    where true on conflict do nothing returning message_id, kind, received_at_ms`,
);

const addToMessage = compileOnce(
  (connection, { messageId, displayed, clicked, closed }: ReceiptCounts & { messageId: string }) =>
    connection
      .updateTable("messages")
      .set((row) => ({
        displayed: row("displayed", "+", displayed),
        clicked: row("clicked", "+", clicked),
        closed: row("closed", "+", closed),
      }))
      .where("id", "=", messageId),
);

export function clicksOf(connection: Connection, messageId: string) {
  return connection
    .selectFrom("receipts")
    .select((row) => ["action", row.fn.countAll<number>().as("count")])
    .where("message_id", "=", messageId)
    .where("kind", "=", sql.lit("clicked"))
    .where("action", "is not", null)
    .groupBy("action")
    .$narrowType<{ action: string }>();
}
