import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cancelMessage, failIdle } from "./cancel.ts";
import { connect, openDatabase } from "./connection.ts";
import { expireBatches } from "./endings.ts";
import { migrate } from "./migrate.ts";
import { openSqliteStore } from "./open.ts";

/** A message that is being sent, with a batch for each number: so many registrations that are to be tried again. */
function withRetries(...retries: number[]): string {
  const numbers = retries.map((retry, index) => `(${index + 1}, ${retry})`).join(", ");
  return `
    insert into projects (id, name, created_at_ms) values (1, 'default', 0);
    insert into vapid_keys values (1, 1, 'key', x'00', 0, null);
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
        created_at_ms, watermark, retry)
      values ('m', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'sending', 0, 0, 0,
        ${retries.reduce((sum, retry) => sum + retry, 0)});
    with batch (id, retry) as (values ${numbers})
    insert into batches (id, message_id, project_id, push_service, vapid_key_id, lane, state, cursor, last_id, due_at_ms,
        expires_at_ms, ready_at_ms, planned, retry)
      select id, 'm', 1, 'https://push.example', 1, 'shared', 'open', 0, 0, 0, 99, 5, retry, retry from batch;
    with recursive retry (batch_id, number) as (
      select id, retry from batches union all select batch_id, number - 1 from retry where number > 1)
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, user_id, created_at_ms, refreshed_at_ms)
      select 1, batch_id || ' ' || number, x'00', 'e', cast(batch_id || ' ' || number as blob), 'p', 'a', 1,
        'https://push.example', 'https://site.example', batch_id, 0, 0 from retry;
    insert into message_exceptions (message_id, batch_id, registration_id, push_origin, kind, generation, attempts,
        due_at_ms, reason, detail, changed_at_ms)
      select 'm', cast(user_id as integer), id, push_origin, 'retry', 1, 1, 5, 'busy', '429', 0 from registrations;
  `;
}

test("a cancellation with very many retries lets others have their turn, and does them all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-cancel-"));
  const path = join(folder, "test.db");
  const store = await openSqliteStore(path, 0);
  const database = openDatabase(path);
  database.exec(withRetries(6_000, 6_000, 12_000, 10));
  const connection = connect(database);

  // One transaction takes what fits in it, and one batch at least.
  const left: (number | undefined)[] = [];
  const look = async () => left.push((await store.messages.find(1, "m"))?.counts.retry);
  const portion = () =>
    connection.transaction().execute((transaction) => failIdle(transaction, "m", 10));
  const cancelled = await connection
    .transaction()
    .execute((transaction) => cancelMessage(transaction, { id: "m", projectId: 1 }, 10));
  expect(cancelled).toBe(true);
  await look();
  expect(await portion()).toBe(false);
  await look();
  expect(await portion()).toBe(false);
  await look();
  expect(await portion()).toBe(true);
  await look();
  expect(await portion()).toBe(true);
  expect(left).toEqual([18_010, 12_010, 10, 0]);

  database.exec(`
    update messages set state = 'paused', retry = 24010, failed = 0;
    update batches set state = 'open', retry = planned, settled = 0;
    update message_exceptions set kind = 'retry', due_at_ms = 5, batch_id = (
      select cast(user_id as integer) from registrations where id = registration_id);
  `);
  expect(await store.messages.cancel(1, "m", 20)).toBe(true);
  expect((await store.messages.find(1, "m"))?.counts).toMatchObject({ retry: 0, failed: 24_010 });
  expect(await store.messages.reasons("m")).toMatchObject([{ kind: "failed", count: 24_010 }]);
  await connection.destroy();
  await store.close();
  rmSync(folder, { recursive: true });
});

test.for([
  ["open and over", "open", [1, 1, 1, 1, 0]],
  ["cancelled and left alone", "cancelled", [0, 0, 0, 0]],
] as const)(
  "batches with very many retries that are %s end as many at a time, too",
  async ([, state, ended]) => {
    const database = openDatabase(":memory:");
    migrate(database, 0);
    database.exec(withRetries(6_000, 6_000, 12_000, 10));
    database.exec(`update batches set state = '${state}'`);
    const connection = connect(database);
    const left = database.prepare("select retry from messages");
    const goes: unknown[] = [];
    for (const count of ended) {
      const expired = await connection
        .transaction()
        .execute((transaction) => expireBatches(transaction, 99));
      expect(expired).toBe(count);
      goes.push(left.get()?.["retry"]);
    }
    expect(goes.slice(0, 4)).toEqual([18_010, 12_010, 10, 0]);
    await connection.destroy();
  },
);
