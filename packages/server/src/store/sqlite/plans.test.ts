/**
 * What SQLite reads for the statements that run for each page of a batch, each request, and the lists of the console: they are run
 * against the store, and the plan of whatever they prepare is looked at. None walks a table that grows with registrations, messages,
 * exceptions or receipts, or sorts what it has read of one. Triggers are not looked into.
 *
 * A server never runs ANALYZE, so SQLite plans without statistics. The other database has those of a million registrations, which are
 * written by hand: there is no million of them.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Batch, Message, RegistrationCandidate, Store } from "../port.ts";
import { accepted } from "../contract/delivering.ts";
import { openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { openSqliteStore } from "./open.ts";
import { indexMessages } from "./search-index.ts";
import { asOfAMillion, fill, planOf } from "./testing/query-plan.ts";

const here = { pushService: "o", vapidKeyId: 1, lane: "shared" };
const bytes = Buffer.alloc(32, 1);
const audit = {
  actor: { kind: "server", name: "" },
  address: null,
  projectId: 1,
  action: "a",
  subject: "s",
  change: null,
} as const;
const candidate: RegistrationCandidate = {
  projectId: 1,
  endpoint: "new",
  endpointHash: Buffer.from("new"),
  p256dh: "p",
  auth: "a",
  vapidKeyId: 1,
  pushOrigin: "o",
  origin: "o",
  locale: null,
  timeZone: null,
  browser: "chrome",
  system: "linux",
  clientSecretHash: bytes,
  earlierToken: null,
  loss: null,
  newToken: "new token",
};
const published = {
  id: "new",
  projectId: 1,
  target: { kind: "all" as const },
  notification: { title: "x" },
  data: null,
  ttlSeconds: 60,
  urgency: "normal" as const,
  collapseKey: null,
  scheduledAtMs: 5,
  localTime: null,
  replaces: null,
};

async function messageOf(store: Store): Promise<Message> {
  const message = await store.messages.find(1, "m0");
  if (message === null) throw new Error("the message is not there");
  return message;
}

async function leased(store: Store, destination = here): Promise<Batch> {
  const batch = await store.delivery.lease(destination, "m0", { owner: "me", untilMs: 99 }, 9);
  if (batch === null) throw new Error("nothing to lease");
  return batch;
}

type Held = {
  run: (store: Store) => Promise<unknown>;
  /** What it may read of a table that grows, and why that is little. */
  may?: [step: RegExp, why: string][];
};

/** Indexes that no batch is in that has ended. */
const openBatches = /^SCAN batches USING (COVERING )?INDEX batches_(due|leased|expiring|ahead)$/;

const held: Record<string, Held> = {
  "delivery: which destinations are ready": {
    run: (store) => store.delivery.readyDestinations(9),
    may: [
      [openBatches, "the first of them"],
      [/^USE TEMP B-TREE FOR ORDER BY$/, "destinations that have something to do"],
    ],
  },
  "delivery: which messages are ready": {
    run: (store) => store.delivery.readyMessages(here, 9),
    may: [[/^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/, "batches that are due there"]],
  },
  "delivery: lease, extend, release": {
    async run(store) {
      const { id, epoch } = await leased(store);
      const lease = { id, epoch, owner: "me" };
      await store.delivery.extendLease(lease, 100);
      await store.delivery.confirmStopped(lease);
      await store.delivery.isStopping("m0", 9);
      await store.delivery.release(lease);
      await store.delivery.freeEndedLeases("another", 9);
    },
  },
  "delivery: probes, and what is split off": {
    async run(store) {
      const at = { pushOrigin: "o2", vapidKeyId: 1 };
      const breaker = {
        ...at,
        reason: "unavailable",
        detail: "",
        openedAtMs: 1,
        probeAtMs: 1,
      } as const;
      const batch = await leased(store);
      await store.breakers.open({ ...breaker, pushOrigin: "o" });
      expect(await store.delivery.splitOff(batch, "me")).toMatchObject({ exceptOrigins: ["o"] });
      expect(await store.delivery.dueProbes(9, 10)).toMatchObject([{ pushOrigin: "o" }]);
      const lease = { owner: "me", untilMs: 99 };
      const there = { pushOrigin: "o", vapidKeyId: 1 };
      expect(await store.delivery.leaseHeld(there, lease, 9)).not.toBeNull();
      await store.breakers.close(there);
      await store.breakers.open(breaker);
    },
    may: [
      [/^USE TEMP B-TREE FOR GROUP BY$/, "push origins of one batch"],
      [/^USE TEMP B-TREE FOR ORDER BY$/, "proven push origins that a breaker holds"],
    ],
  },
  "delivery: the leases of a server that was killed": {
    run: (store) => store.delivery.releaseAll(),
    may: [[openBatches, "those that are leased"]],
  },
  "delivery: a page, its retries and its checkpoint": {
    async run(store) {
      const batch = await leased(store);
      const message = await messageOf(store);
      const [retry] = await store.delivery.dueRetries(batch, message, 9, 10);
      const page = await store.delivery.batchPage(batch, message, 10);
      expect(page).toHaveLength(10);
      const [gone, rejected, cleared, ...others] = page;
      if (!retry?.recipient || !gone || !rejected || !cleared)
        throw new Error("not enough to send");
      await store.delivery.checkpoint(
        {
          batch,
          owner: "me",
          to: page.at(-1)?.registrationId ?? 0,
          walked: [
            { ...gone, kind: "gone" },
            { ...rejected, kind: "rejected", reason: "r", detail: "", refused: true },
            { ...cleared, kind: "accepted", refused: false },
            ...others.map(({ registrationId: id }) =>
              Object.assign(accepted(id), { pushOrigin: "o" }),
            ),
          ],
          retried: [
            {
              attempts: retry.attempts,
              delivered: { ...accepted(retry.registrationId), pushOrigin: "o" },
            },
          ],
        },
        9,
      );
    },
  },
  "delivery: the last checkpoint of a batch": {
    async run(store) {
      const batch = await leased(store, { ...here, pushService: "o2" });
      const page = { batch, owner: "me", to: batch.lastId, walked: [], retried: [] };
      expect(await store.delivery.checkpoint(page, 9)).toMatchObject({ done: true });
    },
  },
  "delivery: planning": {
    async run(store) {
      const message = await store.delivery.nextToPlan(9);
      expect(message).toMatchObject({ id: "m1", state: "scheduled" });
      await store.delivery.startSending("m1", 9);
      const started = await store.delivery.nextToPlan(9);
      if (started === null) throw new Error("nothing to plan");
      expect(await store.delivery.planPart(started, { keys: 100, dueAt: () => 5 }, 9)).toBe(true);
    },
    may: [
      [/^SEARCH registrations USING INDEX registrations_live \(project_id=\?\)$/, "its last entry"],
      [/^USE TEMP B-TREE FOR ORDER BY$/, "messages that are scheduled or being sent"],
      [/^USE TEMP B-TREE FOR GROUP BY$/, "so many registrations as one step of planning looks at"],
    ],
  },
  "delivery: endings": {
    async run(store) {
      await store.delivery.expireBatches(9);
      await store.delivery.pauseHeld();
      await store.delivery.resumeFreed();
      await store.delivery.finishMessages(9);
      expect(await store.delivery.expireBatches(1_000)).toBeGreaterThan(0);
    },
    may: [[openBatches, "batches that have not ended"]],
  },
  "delivery: whether it is held": {
    async run(store) {
      expect(await store.hold.find()).toBeNull();
    },
  },
  "delivery: what a hold holds, and the resume": {
    async run(store) {
      const hold = { reason: "restored", sinceMs: 9 } as const;
      const asker = { actor: audit.actor, address: null };
      await store.hold.begin(hold, asker);
      const options = { asOfMs: 9, sendDue: false, send: [] };
      const { counts } = await store.hold.list({ ...options, projectId: null, limit: 9 });
      expect(counts).toMatchObject({ cancel: 2 });
      expect(await store.hold.resume(hold, options, asker, 9)).toEqual({ cancelled: 2 });
    },
    may: [[/^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/, "messages that have not ended"]],
  },
  "registering a browser": {
    run: (store) => store.registrations.register(candidate, () => ({ kind: "new" }), 9),
  },
  "a browser that shows an endpoint that is gone, and is registered under it after all": {
    async run(store) {
      const shown = { ...candidate, endpointHash: Buffer.from("gone 21") };
      const known: unknown[] = [];
      for (const kind of ["tell-gone", "new"] as const) {
        await store.registrations.register(
          shown,
          ({ goneEndpoint }) => {
            known.push(goneEndpoint);
            return { kind };
          },
          9,
        );
      }
      expect(known).toMatchObject([{ wasTold: false }, { wasTold: true }]);
    },
  },
  "a browser that comes again, with topics": {
    run: (store) =>
      store.registrations.register(
        {
          ...candidate,
          earlierToken: "token 7",
          endpointHash: Buffer.from("e7"),
          loss: { cause: "subscription-missing", confirmedAtMs: 5 },
        },
        ({ byToken }) => ({ kind: "renew", id: byToken?.id ?? 0 }),
        9,
        {
          topicNames: ["large"],
          decide: () => ({ kind: "change", userId: "baker", joins: [], leaves: [1] }),
        },
      ),
  },
  "a browser that moves to another push service": {
    run: (store) =>
      store.registrations.register(
        { ...candidate, pushOrigin: "o2", earlierToken: "token 4999" },
        ({ byToken }) => ({ kind: "renew", id: byToken?.id ?? 0 }),
        9,
      ),
    may: [[openBatches, "batches that have not ended"]],
  },
  "a browser that leaves, and one that is forgotten": {
    async run(store) {
      await store.registrations.leave(8, 9);
      await store.registrations.forget(9, "other", 9);
    },
  },
  "a registration by its token": {
    run: (store) => store.registrations.find(1, "token 7"),
  },
  "a browser that looks, and is noted as seen": {
    async run(store) {
      expect(await store.registrations.see(1, "token 7")).toMatchObject({ seenAtMs: 0 });
      await store.registrations.noteSeen(7, 6, 9);
    },
  },
  receipts: {
    run: (store) =>
      store.receipts.add(
        { projectId: 1, messageId: "m0", token: "token 7", event: "clicked", action: null },
        9,
      ),
  },
  "publishing, by idempotency key, within the quota": {
    run: (store) => store.messages.publish(published, 9, { key: "k", requestHash: bytes }, audit),
  },
  "who asks: a session, an API key": {
    async run(store) {
      await store.sessions.find(bytes, { nowMs: 9, usedSinceMs: 0 });
      await store.sessions.touch(1, { address: "" }, 9);
      await store.apiKeys.findByHash(bytes, 9);
      await store.apiKeys.touch(1, 9);
    },
  },
  retention: {
    async run(store) {
      expect(await store.retention.removeEnded(1_000, 10)).toBe(10);
      expect(await store.retention.removeGoneEndpoints(1_000, 10)).toBe(10);
      await store.retention.removeReceipts(1_000, 10);
      expect(await store.retention.removeBatches(10)).toBe(10);
      await store.audit.removeBefore(9, 10);
    },
    may: [[/^SCAN batches$/, "it has removed those of messages that ended before the last hour"]],
  },
  "console: messages, filtered and searched": {
    async run(store) {
      await store.messages.list(1, 20);
      await store.messages.list(1, 20, "m5", { state: "done", targetKind: "all" });
      await store.messages.list(1, 20, undefined, { search: "x" });
      await store.messages.list(1, 20, "m5", { search: "新しい" });
    },
    may: [
      [/^SEARCH messages USING COVERING INDEX messages_listed \(project_id=\?\)$/, "the last few"],
    ],
  },
  "console: a message": {
    async run(store) {
      await store.messages.progress("m0");
      await store.messages.reasons("m0");
      await store.messages.exceptions("m0", { afterId: 0, limit: 10 });
      await store.messages.hours("m0");
      await store.messages.heldBy("m0");
      await store.receipts.clicksByAction("m0");
    },
    may: [[/^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/, "batches and reasons of one message"]],
  },
  "console: registrations, filtered": {
    async run(store) {
      const page = { limit: 10, keys: 100 };
      await store.audience.list(1, {}, page);
      await store.audience.list(1, { browser: "firefox", language: "de" }, page);
      await store.audience.list(1, { topicId: 2 }, { ...page, beforeId: 900 });
      await store.audience.list(1, { userId: "baker" }, page);
      await store.audience.list(1, { token: "token 7" }, page);
      await store.audience.listDetailed(1, { browser: "firefox" }, page);
    },
    may: [[/^USE TEMP B-TREE FOR ORDER BY$/, "topics of one page"]],
  },
  "console: a registration": {
    run: (store) => store.audience.story(1, "token 7", 10),
    may: [[/^USE TEMP B-TREE FOR ORDER BY$/, "what there is of one registration"]],
  },
  "console: figures": {
    async run(store) {
      await store.audience.now(1);
      await store.audience.days(1, 0, 9);
      await store.audience.returns(1, 0, 9);
      await store.registrations.liveGroups(1);
      await store.registrations.countByOrigin(1);
    },
    may: [[/^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/, "figures that are kept"]],
  },
};

/** By registrations, messages, or what became of them. */
const growing =
  /^SCAN (registrations|registration_losses|messages|message_(exceptions|hours|numbers)|gone_endpoints|batches|receipts|registration_topics|exception|audit|operator_sessions|exception_counts)\b/;
const ofWholeProject =
  /^SEARCH (registrations|gone_endpoints|messages|batches|receipts|audit)\b.* \(project_id=\?\)/;
const sorting = /^USE TEMP B-TREE/;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-plans-"));
  for (const state of ["without statistics", "with those of a million"]) {
    const database = openDatabase(join(folder, state));
    migrate(database, 0);
    fillAll(database);
    if (state === "without statistics") database.exec("drop table sqlite_stat1");
    else asOfAMillion(database);
    database.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function fillAll(database: DatabaseSync): void {
  fill(database);
  database.exec(`
    update registrations set endpoint = null, endpoint_hash = null, p256dh = null, auth = null, ended_at_ms = id,
      end_reason = 'gone' where id % 20 = 1;
    update registrations set accepted = 1 where ended_at_ms is null;
    insert into gone_endpoints (project_id, endpoint_hash, registration_id, gone_at_ms)
      select project_id, cast('gone ' || id as blob), id, id from registrations where ended_at_ms is not null;
    insert into registration_losses (registration_id, cause, returned_at_ms) select id, 'gone', 5 from registrations;
    insert into audience_returns select 1, id, 'gone', 1, 1 from registrations;
    with recursive number (n) as (select 0 union all select n + 1 from number where n < 2000)
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms, watermark, cursor, ended_at_ms)
    select 'm' || n, 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal',
      case n when 0 then 'sending' when 1 then 'scheduled' else 'done' end, 5, 5, iif(n = 1, null, 5000),
      iif(n = 1, 0, 5000), iif(n > 1, 5, null) from number;
    with recursive number (n) as (select 0 union all select n + 1 from number where n < 4000)
    insert into batches (message_id, project_id, push_service, vapid_key_id, lane, state, cursor, last_id, due_at_ms,
      expires_at_ms, ready_at_ms, planned)
    select 'm' || (n % 400), 1, iif(n % 401 = 0, 'o2', 'o'), 1, 'shared', iif(n in (0, 400), 'open', 'done'),
      iif(n = 0, 5000, n), 5000, 5, n + 100, 5, 10 from number;
    insert into message_exceptions
    select 'm' || iif(id % 3 = 0, 0, id % 400), id, iif(id % 3 = 0, 401, null), 'o',
      iif(id % 3 = 0, 'retry', 'failed'), 1, 1, 0, iif(id % 3 = 0, 5, null), '', '', 0
      from registrations where id < 400 or id > 4000;
    insert into receipts select 'm' || (id % 400), id, 'displayed', 5, null from registrations;
    insert into operators (id, email, name, password_hash, created_at_ms) values (1, 'baker', '', '', 0);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 1000)
    insert into operator_sessions (operator_id, token_hash, created_at_ms, last_used_at_ms, expires_at_ms, address,
      user_agent) select 1, iif(n = 1, x'${bytes.toString("hex")}', cast(n as blob)), 0, 0, 99, '', '' from number;
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 2000)
    insert into audit (at_ms, project_id, actor_kind, actor, action, subject)
      select n, 1, 'server', '', 'a', '' from number;
  `);
  indexMessages(database);
  database.exec("analyze");
}

describe.each(["without statistics", "with those of a million"])("%s", (state) => {
  test.for(Object.entries(held))("%s", async ([name, { run, may = [] }]) => {
    const file = join(folder, `${state} ${Object.keys(held).indexOf(name)}`);
    copyFileSync(join(folder, state), file);
    const store = await openSqliteStore(file, 9);
    const prepared = vi.spyOn(DatabaseSync.prototype, "prepare");
    const texts = new Set<string>();
    try {
      await run(store);
      for (const [text] of prepared.mock.calls) texts.add(text);
    } finally {
      prepared.mockRestore();
      await store.close();
    }
    const database = openDatabase(file);
    const plans = [...texts].map((text) => ({ text, steps: planOf(database, text) }));
    database.close();
    expect(plans.flatMap(({ steps }) => steps)).not.toHaveLength(0);
    const tooMuch = plans.flatMap(({ text, steps }) =>
      steps
        .filter((step) => growing.test(step) || ofWholeProject.test(step) || sorting.test(step))
        .filter((step) => !may.some(([allowed]) => allowed.test(step)))
        .map((step) => ({ step, text })),
    );
    expect(tooMuch).toEqual([]);
  });
});
