/** Vendors' hosts change from version to version: what is known and what is being sent goes on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setUp, type ContractBench } from "../contract/bench.ts";
import {
  accepted,
  findMessage,
  leaseAll,
  mustLease,
  planMessage,
  retry,
  writePage,
} from "../contract/delivering.ts";
import { openSqliteStore } from "./open.ts";

const east = "https://wns2-east.notify.windows.com";
const west = "https://wns2-west.notify.windows.com";

let folder: string;
let file: string;
let bench: ContractBench;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sineta-services-"));
  file = join(folder, "test.db");
  bench = await setUp({ open: () => openSqliteStore(file, 0), remove: async () => undefined });
});
afterEach(async () => {
  await bench.store.close();
  rmSync(folder, { recursive: true });
});

/** As an earlier version left it, for which the east was a push service of its own. */
function asEarlierVersion(): void {
  const other = new DatabaseSync(file);
  other.exec(`update registrations set push_service = push_origin where push_origin = '${east}';
    update push_service_rules set rules = 'earlier'`);
  other.close();
}

function prove(...origins: string[]): void {
  const other = new DatabaseSync(file);
  const insert = other.prepare("insert into proven_origins values (?, ?, 1)");
  for (const origin of origins) insert.run(origin, bench.vapidKeyId);
  other.close();
}

async function deliverAll(nowMs: number): Promise<string[]> {
  const sent: string[] = [];
  for await (const batch of leaseAll(bench.store, nowMs)) {
    const message = await findMessage(bench, batch.messageId);
    const page = await bench.store.delivery.batchPage(batch, message, 100);
    const due = await bench.store.delivery.dueRetries(batch, message, nowMs, 100);
    const recipients = [...page, ...due.flatMap(({ recipient }) => recipient ?? [])];
    sent.push(...recipients.map((each) => `${each.registrationId} at ${each.pushOrigin}`));
    const walked = page.map(({ registrationId, pushOrigin }) => {
      return Object.assign(accepted(registrationId), { pushOrigin });
    });
    const retried = due.map(({ registrationId, pushOrigin, attempts }) => {
      return { attempts, delivered: { ...accepted(registrationId), pushOrigin } };
    });
    await writePage(bench.store, batch, { walked, retried }, nowMs);
  }
  return sent.toSorted();
}

test.for(["proven", "unproven"])(
  "a host that becomes a vendor's, %s, is sent to once, with its retries",
  async (known) => {
    for (const pushOrigin of [east, west, east, west, east, west]) await bench.add({ pushOrigin });
    if (known === "proven") prove(east, west);
    asEarlierVersion();
    const { id } = await planMessage(bench);
    const first = await mustLease(bench.store, 1_000, { messageId: id });
    expect(first.pushService).toBe(east);
    const walked = [
      { ...accepted(1), pushOrigin: east },
      { ...retry(3, 2_000), pushOrigin: east },
    ];
    await writePage(bench.store, first, { to: 3, walked }, 1_000);

    await bench.reopen();
    expect(await deliverAll(2_000)).toEqual([
      `2 at ${west}`,
      `3 at ${east}`,
      `4 at ${west}`,
      `5 at ${east}`,
      `6 at ${west}`,
    ]);
    expect(await bench.store.delivery.finishMessages(2_000)).toEqual([id]);
    const message = await findMessage(bench, id);
    expect(message).toMatchObject({ plannedCount: 6, counts: { accepted: 6, retry: 0 } });
    const progress = await bench.store.messages.progress(id);
    const now = progress.find(({ pushService }) => pushService === "windows");
    expect(now).toMatchObject({ planned: 5, counts: { accepted: 5, retry: 0 } });
    expect(progress.reduce((sum, { planned }) => sum + planned, 0)).toBe(6);
    // Later messages know one push service.
    const next = await planMessage(bench);
    expect((await bench.store.messages.progress(next.id)).map((each) => each.pushService)).toEqual([
      "windows",
    ]);
  },
);

test("nothing is looked at while the rules are the same", async () => {
  await bench.add({ pushOrigin: east });
  const other = new DatabaseSync(file);
  other.exec("update registrations set push_service = 'nonsense'");
  await bench.reopen();
  expect(other.prepare("select push_service from registrations").get()).toEqual({
    push_service: "nonsense",
  });
  other.close();
});
