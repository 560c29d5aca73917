import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageRequest } from "@sineta/protocol";
import { randomToken } from "../store/contract/bench.ts";
import { asker, messagesBench, requestWith, type MessagesBench } from "./testing/messages-bench.ts";

let bench: MessagesBench;
beforeEach(async () => {
  bench = await messagesBench();
});
afterEach(() => bench.close());

const nine = "2026-12-01T09:00-03:00";
const ten = "2026-12-01T10:00-03:00";

const scheduled = (over: Partial<MessageRequest> = {}) =>
  bench.mustPublish({ scheduleAt: nine, ...over });
const status = (id: string) => bench.messages.status(bench.project, id);
const cancel = (id: string) => bench.messages.cancel(bench.project, id, asker);
const move = (id: string, to: { scheduleAt: string } | { scheduleAtLocal: string }, key?: string) =>
  bench.messages.move(bench.project, id, to, asker, key);

async function mustMove(...asked: Parameters<typeof move>): Promise<string> {
  const result = await move(...asked);
  if (result.kind === "refused") throw new Error(JSON.stringify(result));
  return result.published.id;
}

/** Messages that nothing can take the place of, by what is said of each. */
const unreplaceable: Readonly<
  Record<string, () => Promise<{ id: string; messageId?: string | undefined }>>
> = {
  "message-not-found": async () => ({ id: "0199c0de-0000-7000-8000-000000000001" }),
  "message-started": async () => {
    const id = await scheduled();
    bench.clock.nowMs = Date.parse(nine);
    await bench.data.store.delivery.startSending(id, bench.clock.nowMs);
    return { id };
  },
  "message-ended": async () => {
    const id = await scheduled();
    await cancel(id);
    return { id };
  },
  "message-replaced": async () => {
    const id = await scheduled();
    return { id, messageId: await mustMove(id, { scheduleAt: ten }) };
  },
};

describe("replacing a scheduled message", () => {
  test("publishes the other one in its place, and each names the other", async () => {
    const id = await scheduled();
    const next = await bench.mustPublish({
      replaces: id,
      scheduleAt: ten,
      notification: { title: "Oi" },
    });
    expect(await status(id)).toMatchObject({ state: "cancelled", replacedBy: next });
    expect(await status(next)).toMatchObject({
      state: "scheduled",
      replaces: id,
      scheduleAt: "2026-12-01T13:00:00.000Z",
      notification: { title: "Oi" },
    });
    const { messages } = await bench.messages.list(bench.project, { limit: 10 });
    expect(messages).toMatchObject([
      { id: next, replaces: id },
      { id, replacedBy: next },
    ]);
  });

  test("may be asked for at once: the other one is sent now", async () => {
    const id = await scheduled();
    const next = await bench.mustPublish({ replaces: id });
    expect(await status(next)).toMatchObject({ state: "sending", replaces: id });
  });

  test("is still possible when its time has come, as long as its sending has not begun", async () => {
    const id = await scheduled();
    bench.clock.nowMs = Date.parse(nine);
    expect(await status(id)).toMatchObject({ state: "sending" });
    const next = await mustMove(id, { scheduleAt: ten });
    expect(await status(next)).toMatchObject({ state: "scheduled" });
  });

  describe.for(Object.entries(unreplaceable))("is refused with %s", ([code, make]) => {
    test.for([
      ["by a publication", (id: string) => bench.publish({ replaces: id })],
      ["by a dry run", (id: string) => bench.dryRun({ replaces: id })],
      ["by a move", (id: string) => move(id, { scheduleAt: "2026-12-02T09:00-03:00" })],
    ] as const)("%s", async ([, attempt]) => {
      const { id, messageId } = await make();
      const before = await status(id);
      const refusal = { kind: "refused", code, ...(messageId === undefined ? {} : { messageId }) };
      expect(await attempt(id)).toEqual(refusal);
      expect(await status(id)).toEqual(before);
    });
  });

  test("with a request that is refused changes nothing", async () => {
    const id = await scheduled();
    expect(await bench.publish({ replaces: id, scheduleAt: "2026-11-01T09:00Z" })).toMatchObject({
      code: "schedule-in-past",
    });
    expect(
      await bench.publish({ replaces: id, target: { kind: "topic", topic: "x" } }),
    ).toMatchObject({ code: "topic-unknown" });
    expect(await status(id)).toMatchObject({ state: "scheduled" });
  });

  test("as a dry run changes nothing", async () => {
    const id = await scheduled();
    expect(await bench.dryRun({ replaces: id })).toMatchObject({ kind: "counted" });
    expect(await status(id)).toMatchObject({ state: "scheduled" });
  });

  test("by a draft ends the draft, and once more is answered alike", async () => {
    const id = await scheduled();
    const draftId = "0199c0de-0000-7000-8000-000000000002";
    const publish = () =>
      bench.messages.publishDraft(bench.project, draftId, requestWith({ replaces: id }), asker);
    const first = await publish();
    expect(first).toMatchObject({ kind: "published" });
    expect(await publish()).toEqual({ ...first, kind: "repeated" });
    const audit = await bench.data.store.audit.list([bench.project.id], { limit: 1 });
    expect(audit[0]).toMatchObject({ change: { replaces: id, draft: draftId } });
  });

  test("once done, refuses the cancel of the first message and leaves its successor scheduled", async () => {
    const id = await scheduled();
    const next = await mustMove(id, { scheduleAt: ten });
    expect(await cancel(id)).toEqual({
      kind: "refused",
      code: "message-replaced",
      messageId: next,
    });
    expect(await status(next)).toMatchObject({ state: "scheduled" });
    expect(await cancel(next)).toMatchObject({ kind: "cancelled" });
  });

  test("by two at once without a key is done by one; the other is told which", async () => {
    const id = await scheduled();
    const results = await Promise.all([
      move(id, { scheduleAt: ten }),
      move(id, { scheduleAt: "2026-12-01T11:00-03:00" }),
    ]);
    const { replacedBy: messageId } = (await status(id)) ?? {};
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["published", "refused"]);
    expect(results).toContainEqual({ kind: "refused", code: "message-replaced", messageId });
  });
});

describe("moving", () => {
  test("keeps everything but the time", async () => {
    const token = await bench.data.add();
    const id = await scheduled({
      target: { kind: "tokens", tokens: [token, randomToken()] },
      notification: { title: "Olá", body: "x", link: "/a", actions: [{ action: "a", title: "b" }] },
      data: { order: 1 },
      ttlSeconds: 60,
      urgency: "high",
      collapseKey: "k",
    });
    const before = await status(id);
    const next = await mustMove(id, { scheduleAtLocal: "2026-12-05T08:00" });
    expect(await status(next)).toEqual({
      ...before,
      id: next,
      replaces: id,
      scheduleAt: "2026-12-04T18:00:00.000Z",
      scheduleAtLocal: "2026-12-05T08:00",
    });
    const back = await mustMove(next, { scheduleAt: nine });
    expect(await status(back)).toEqual({ ...before, id: back, replaces: next });
  });

  test("with an idempotency key moves once", async () => {
    const id = await scheduled();
    const next = await mustMove(id, { scheduleAt: ten }, "key");
    expect(await move(id, { scheduleAt: ten }, "key")).toMatchObject({
      kind: "repeated",
      published: { id: next },
    });
    expect(await move(id, { scheduleAt: nine }, "key")).toEqual({
      kind: "refused",
      code: "idempotency-key-reused",
    });
  });
});
