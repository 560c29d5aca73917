import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageListSchema, messageStatusSchema } from "@sineta/protocol";
import {
  accepted,
  findMessage,
  gone,
  mustLease,
  planOn,
  refused,
  retry,
  writePage,
  type Came,
} from "../store/contract/delivering.ts";

import { asker, messagesBench, type MessagesBench } from "./testing/messages-bench.ts";

let bench: MessagesBench;
beforeEach(async () => {
  bench = await messagesBench();
});
afterEach(() => bench.close());

const fcm = "https://fcm.googleapis.com";
const nightly = "https://jmt17.google.com";
const mozilla = "https://updates.push.services.mozilla.com";
const none = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };

async function status(id: string) {
  const found = await bench.messages.status(bench.project, id);
  if (found === null) throw new Error("the message is not there");
  // What goes out fits what the interface promises.
  expect(messageStatusSchema.parse(found)).toEqual(found);
  return found;
}

/** Starts sending it, and plans it to the end. */
async function begin(id: string) {
  const { store } = bench.data;
  await store.delivery.startSending(id, bench.clock.nowMs);
  return planOn(bench.data, id, { keys: 1_000, dueAt: () => bench.clock.nowMs });
}

/** Writes down what became of the message at the push service of this origin. */
async function deliver(id: string, pushOrigin: string, walked: Came[]) {
  const { nowMs } = bench.clock;
  const batch = await mustLease(bench.data.store, nowMs, { messageId: id, pushOrigin });
  expect(await writePage(bench.data.store, batch, { walked }, nowMs)).not.toBe(null);
}

const tooLarge = (registrationId: number, detail: string): Came => ({
  registrationId,
  generation: 1,
  kind: "rejected",
  reason: "too-large",
  detail,
});

describe("status", () => {
  test("of a message that has not begun is what was asked for", async () => {
    const notification = {
      title: "Olá",
      actions: [{ action: "ver", title: "Ver" }],
    };
    const id = await bench.mustPublish({
      notification,
      data: { a: 1 },
      collapseKey: "k",
      ttlSeconds: 0,
      scheduleAtLocal: "2026-12-01T09:00",
    });
    expect(await status(id)).toEqual({
      id,
      state: "scheduled",
      target: { kind: "all" },
      notification,
      data: { a: 1 },
      ttlSeconds: 0,
      urgency: "normal",
      collapseKey: "k",
      scheduleAt: "2026-11-30T19:00:00.000Z",
      scheduleAtLocal: "2026-12-01T09:00",
      createdAt: "2026-11-20T12:00:00.000Z",
      publisher: { kind: "api-key", name: null },
      audience: { registrations: 0, complete: false },
      counts: none,
      unsent: 0,
      byPushService: [],
      reasons: [],
      held: [],
      receipts: { displayed: 0, clicked: 0, closed: 0 },
      clicksByAction: { ver: 0 },
    });
  });

  test("is sending from the message's time on, if a server sends what is due", async () => {
    const published = await bench.publish({ scheduleAt: "2026-11-20T12:00:05Z" });
    if (published.kind === "refused") throw new Error(published.code);
    const { id, state } = published.published;
    expect(state).toBe("scheduled");
    const told = async () => {
      const { messages } = await bench.messages.list(bench.project, { limit: 1 });
      let csv = "";
      for await (const piece of bench.messages.exportList(
        bench.project,
        {},
        { separator: "comma" },
      ))
        csv += piece;
      const [, line] = csv.split("\r\n");
      const filter = { state: "scheduled" } as const;
      const passed = await bench.messages.list(bench.project, { limit: 1, filter });
      const states = [(await status(id)).state, messages[0]?.state, line?.split(",")[4]];
      return { states, passed: passed.messages.length };
    };
    const scheduled = { states: ["scheduled", "scheduled", "scheduled"], passed: 1 };
    bench.clock.nowMs += 4_999;
    expect(await told()).toEqual(scheduled);
    bench.clock.nowMs += 1;
    expect(await told()).toEqual({ states: ["sending", "sending", "sending"], passed: 0 });
    bench.delivers = false;
    expect(await told()).toEqual(scheduled);
    const waiting = await bench.publish();
    expect(waiting).toMatchObject({ published: { state: "scheduled" } });
  });

  test("is scheduled with a local time until the delivery begins, also where the first zone's moment is over", async () => {
    const published = await bench.publish({ scheduleAtLocal: "2026-11-20T13:00" });
    expect(published).toMatchObject({ published: { state: "scheduled" } });
    const { messages } = await bench.messages.list(bench.project, { limit: 1 });
    expect(messages[0]).toMatchObject({ state: "scheduled", scheduleAtLocal: "2026-11-20T13:00" });
    expect(Date.parse(messages[0]?.scheduleAt ?? "")).toBeLessThan(bench.clock.nowMs);
  });

  test("of another project's message, and of what is no id, is nothing", async () => {
    const id = await bench.mustPublish();
    const other = await bench.data.store.projects.ensure("other", 1);
    const elsewhere = { id: other.id, origins: bench.project.origins };
    expect(await bench.messages.status(elsewhere, id)).toBe(null);
    expect(await bench.messages.status(bench.project, "' or 1=1")).toBe(null);
  });

  test("counts by push service what became of each, and tells why", async () => {
    for (const pushOrigin of [fcm, nightly]) {
      for (let count = 0; count < 6; count += 1) await bench.data.add({ pushOrigin });
    }
    for (let count = 0; count < 2; count += 1) await bench.data.add({ pushOrigin: mozilla });
    const id = await bench.mustPublish();
    await begin(id);
    expect(await status(id)).toMatchObject({
      state: "sending",
      audience: { registrations: 14, complete: true },
      unsent: 14,
    });
    const { nowMs } = bench.clock;
    const cameOf = (pushOrigin: string, first: number): Came[] => [
      { ...accepted(first), pushOrigin },
      { ...gone(first + 1), pushOrigin },
      { ...retry(first + 2, nowMs + 1_000), pushOrigin },
      { ...tooLarge(first + 3, `said ${pushOrigin}`), pushOrigin },
      { ...refused(first + 4, "failed", "unexpected"), pushOrigin },
      // The push service that says it more often is quoted.
      {
        ...(pushOrigin === fcm ? accepted(first + 5) : tooLarge(first + 5, `said ${pushOrigin}`)),
        pushOrigin,
      },
    ];
    await deliver(id, fcm, [...cameOf(fcm, 1), ...cameOf(nightly, 7)]);
    bench.clock.nowMs += 5_000;
    const found = await status(id);
    const counts = { accepted: 3, gone: 2, retry: 2, rejected: 3, failed: 2 };
    expect(found).toMatchObject({
      startedAt: new Date(nowMs).toISOString(),
      counts,
      unsent: 2,
      byPushService: [
        { pushService: "fcm", registrations: 12, counts, unsent: 0 },
        { pushService: "mozilla", registrations: 2, counts: none, unsent: 2 },
      ],
    });
    expect(found.endedAt).toBe(undefined);
    const [most, ...others] = found.reasons;
    expect(most).toEqual({
      pushService: "fcm",
      outcome: "rejected",
      reason: "too-large",
      detail: `said ${nightly}`,
      registrations: 3,
    });
    const twice = { pushService: "fcm", registrations: 2 };
    expect(new Set(others)).toEqual(
      new Set([
        { ...twice, outcome: "retry", reason: "busy", detail: "429" },
        { ...twice, outcome: "failed", reason: "unexpected", detail: "" },
      ]),
    );
  });

  test("tells that the audience is still being counted, part by part", async () => {
    for (let count = 0; count < 3; count += 1) await bench.data.add({ pushOrigin: fcm });
    const id = await bench.mustPublish();
    const { delivery } = bench.data.store;
    await delivery.startSending(id, bench.clock.nowMs);
    const message = await findMessage(bench.data, id);
    await delivery.planPart(message, { keys: 2, dueAt: () => 0 }, bench.clock.nowMs);
    expect(await status(id)).toMatchObject({
      audience: { registrations: 2, complete: false },
      unsent: 2,
    });
  });

  test("never has less than nobody unsent", async () => {
    const id = await bench.mustPublish();
    bench.data.store.messages.progress = async () => [
      { pushService: "fcm", planned: 1, counts: { ...none, accepted: 2 } },
    ];
    expect((await status(id)).byPushService).toMatchObject([{ registrations: 1, unsent: 0 }]);
  });

  test("tells what is held back, from when and until when, by push service", async () => {
    for (const pushOrigin of [fcm, mozilla]) await bench.data.add({ pushOrigin });
    const id = await bench.mustPublish();
    await begin(id);
    const { vapidKeyId } = bench.data;
    for (const pushOrigin of [mozilla, nightly]) {
      await bench.data.store.breakers.open({
        pushOrigin,
        vapidKeyId,
        reason: "vapid-refused",
        detail: "401",
        openedAtMs: bench.clock.nowMs,
        probeAtMs: bench.clock.nowMs + 60_000,
      });
    }
    // The other one holds nothing of this message.
    expect((await status(id)).held).toEqual([
      {
        pushService: "mozilla",
        pushOrigin: mozilla,
        reason: "vapid-refused",
        detail: "401",
        since: "2026-11-20T12:00:00.000Z",
        nextProbeAt: "2026-11-20T12:01:00.000Z",
      },
    ]);
  });

  test("has the clicks of its own actions alone", async () => {
    const tokens = [await bench.data.add(), await bench.data.add(), await bench.data.add()];
    const actions = [
      { action: "ver", title: "Ver" },
      { action: "constructor", title: "Depois" },
    ];
    const id = await bench.mustPublish({ notification: { title: "Olá", actions } });
    for (const [index, action] of ["ver", "ver", "made up"].entries()) {
      const token = tokens[index] ?? "";
      const receipt = { projectId: bench.project.id, messageId: id, token };
      await bench.data.store.receipts.add({ ...receipt, event: "clicked", action }, 1);
    }
    expect(await status(id)).toMatchObject({
      receipts: { displayed: 0, clicked: 3, closed: 0 },
      clicksByAction: { ver: 2, constructor: 0 },
    });
    expect(Object.keys((await status(id)).clicksByAction)).toEqual(["ver", "constructor"]);
  });
});

describe("list", () => {
  test("is newest first, page by page, without one twice and without an empty end", async () => {
    const published: { id: string; title: string }[] = [];
    for (const title of ["1", "2", "3", "4"]) {
      published.push({ title, id: await bench.mustPublish({ notification: { title } }) });
    }
    // Ids sort by the millisecond; of two in the same one either may be first.
    const newest = published.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const ids = newest.map(({ id }) => id);
    const titles = newest.map(({ title }) => title);
    const page = async (limit: number, before?: string) => {
      const options = before === undefined ? { limit } : { limit, before };
      const list = await bench.messages.list(bench.project, options);
      expect(messageListSchema.parse(list)).toEqual(list);
      return { titles: list.messages.map(({ title }) => title), next: list.next };
    };
    expect(await page(3)).toEqual({ titles: titles.slice(0, 3), next: ids[2] });
    expect(await page(3, ids[2])).toEqual({ titles: titles.slice(3), next: undefined });
    expect(await page(4)).toEqual({ titles, next: undefined });
    expect(await page(2, ids[1])).toEqual({ titles: titles.slice(2), next: undefined });
    expect(await page(2, ids[3])).toEqual({ titles: [], next: undefined });
  });

  test("has each message's figures", async () => {
    await bench.data.add({ pushOrigin: fcm });
    const id = await bench.mustPublish();
    await begin(id);
    await deliver(id, fcm, [accepted(1)]);
    const { messages } = await bench.messages.list(bench.project, { limit: 1 });
    expect(messages).toEqual([
      {
        id,
        state: "sending",
        target: { kind: "all" },
        title: "Olá",
        scheduleAt: "2026-11-20T12:00:00.000Z",
        createdAt: "2026-11-20T12:00:00.000Z",
        publisher: { kind: "api-key", name: null },
        audience: { registrations: 1, complete: true },
        counts: { ...none, accepted: 1 },
        unsent: 0,
        receipts: { displayed: 0, clicked: 0, closed: 0 },
      },
    ]);
  });
});

test("the list has how many tokens a message was sent to, its status has them", async () => {
  const tokens = [await bench.data.add(), await bench.data.add()];
  const id = await bench.mustPublish({ target: { kind: "tokens", tokens } });
  const { messages } = await bench.messages.list(bench.project, { limit: 1 });
  expect(messages).toMatchObject([{ id, target: { kind: "tokens", count: 2 } }]);
  expect((await status(id)).target).toEqual({ kind: "tokens", tokens });
});

test("tells of an outage what came instead of an answer", async () => {
  await bench.data.add({ pushOrigin: fcm });
  const id = await bench.mustPublish();
  await begin(id);
  const { vapidKeyId } = bench.data;
  const detail = "tls-failed: unable to verify the first certificate";
  await bench.data.store.breakers.open({
    pushOrigin: fcm,
    vapidKeyId,
    reason: "unavailable",
    detail,
    openedAtMs: bench.clock.nowMs,
    probeAtMs: bench.clock.nowMs + 60_000,
  });
  expect((await status(id)).held).toMatchObject([{ reason: "unavailable", detail }]);
});

describe("cancel", () => {
  test("ends a message, once; what was not sent stays unsent", async () => {
    for (const pushOrigin of [fcm, mozilla]) await bench.data.add({ pushOrigin });
    const id = await bench.mustPublish();
    await begin(id);
    await deliver(id, fcm, [accepted(1)]);
    bench.clock.nowMs += 1_000;
    expect(await bench.messages.cancel(bench.project, id, asker)).toMatchObject({
      kind: "cancelled",
      status: {
        id,
        state: "cancelled",
        endedAt: new Date(bench.clock.nowMs).toISOString(),
        counts: { ...none, accepted: 1 },
        unsent: 1,
      },
    });
    const again = { kind: "refused", code: "message-ended" };
    expect(await bench.messages.cancel(bench.project, id, asker)).toEqual(again);
  });

  test("of a message that has gone to everybody is refused: it is done", async () => {
    await bench.data.add({ pushOrigin: fcm });
    const id = await bench.mustPublish();
    await begin(id);
    await deliver(id, fcm, [accepted(1)]);
    expect(await bench.data.store.delivery.finishMessages(bench.clock.nowMs)).toEqual([id]);
    const refusal = { kind: "refused", code: "message-ended" };
    expect(await bench.messages.cancel(bench.project, id, asker)).toEqual(refusal);
    expect(await status(id)).toMatchObject({ state: "done", counts: { accepted: 1 } });
  });

  test("of a message that is not there, or another project's, changes nothing", async () => {
    const id = await bench.mustPublish();
    const other = await bench.data.store.projects.ensure("other", 1);
    const elsewhere = { id: other.id, origins: bench.project.origins };
    const refusal = { kind: "refused", code: "message-not-found" };
    expect(await bench.messages.cancel(elsewhere, id, asker)).toEqual(refusal);
    expect(await bench.messages.cancel(bench.project, "0199c0de", asker)).toEqual(refusal);
    expect(await status(id)).toMatchObject({ state: "sending" });
  });
});
