import { randomUUIDv7 } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { limits, type MessageRequest, type NotificationContent } from "@sineta/protocol";
import { payloadOf } from "../delivery/payload.ts";
import { receiptKey } from "../receipts/receipt-key.ts";
import { randomToken } from "../store/contract/bench.ts";
import { parsePushKeys, seal } from "../webpush/seal.ts";
import { testSubscription } from "../test/browser.ts";
import {
  asker,
  messagesBench,
  origin,
  requestWith,
  type MessagesBench,
} from "./testing/messages-bench.ts";

let bench: MessagesBench;
beforeEach(async () => {
  bench = await messagesBench();
});
afterEach(() => bench.close());

const find = (id: string) => bench.data.store.messages.find(bench.data.projectId, id);
const count = async () => (await bench.data.store.messages.list(bench.data.projectId, 100)).length;

describe("what is published", () => {
  test("lies in the database, with what holds where nothing is said", async () => {
    const id = await bench.mustPublish();
    expect(await find(id)).toMatchObject({
      id,
      projectId: bench.data.projectId,
      target: { kind: "all" },
      notification: { title: "Olá" },
      data: null,
      ttlSeconds: limits.ttlSeconds,
      urgency: "normal",
      collapseKey: null,
      scheduledAtMs: bench.clock.nowMs,
      localTime: null,
      state: "scheduled",
      createdAtMs: bench.clock.nowMs,
    });
  });

  test("lies there with everything that was said", async () => {
    const token = await bench.data.add();
    const request = {
      target: { kind: "tokens", tokens: [token, randomToken()] },
      notification: {
        title: "Olá",
        body: "x",
        image: "/foto.jpg",
        badge: "/sino.png",
        tag: "pão",
        renotify: true,
        silent: true,
        requireInteraction: true,
        lang: "pt-BR",
        dir: "ltr",
        timestamp: 1,
      },
      data: { order: [1, { a: null }] },
      ttlSeconds: 0,
      urgency: "very-low",
      collapseKey: "a",
    } satisfies Partial<MessageRequest>;
    const id = await bench.mustPublish({ ...request, scheduleAt: "2026-12-01T09:00-03:00" });
    expect(await find(id)).toMatchObject({
      ...request,
      scheduledAtMs: Date.parse("2026-12-01T12:00:00Z"),
    });
  });

  test("is answered with id, state and time", async () => {
    const result = await bench.publish({ scheduleAtLocal: "2026-12-01T09:00" });
    expect(result).toEqual({
      kind: "published",
      published: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        state: "scheduled",
        scheduleAt: "2026-11-30T19:00:00.000Z",
      },
    });
    const { id } = result.kind === "refused" ? { id: "" } : result.published;
    expect(await find(id)).toMatchObject({ localTime: "2026-12-01T09:00" });
  });
});

describe("what is refused, and leaves nothing behind", () => {
  test("a condition that cannot be read, with the position", async () => {
    const condition = "'a' in topics & 'b' in topics";
    expect(await bench.publish({ target: { kind: "condition", condition } })).toEqual({
      kind: "refused",
      code: "condition-invalid",
      fields: [
        {
          path: "target.condition",
          message: "position 15: expected &&, || or the end",
          position: 15,
        },
      ],
    });
    expect(await count()).toBe(0);
  });

  test("topics that there are not, each by its name", async () => {
    await bench.data.store.topics.add(bench.project.id, { name: "bread", policy: "open" }, 1);
    const other = await bench.data.store.projects.ensure("other", 1);
    await bench.data.store.topics.add(other.id, { name: "cake", policy: "open" }, 1);
    expect(await bench.publish({ target: { kind: "topic", topic: "cake" } })).toEqual({
      kind: "refused",
      code: "topic-unknown",
      fields: [{ path: "target.topic", message: 'there is no topic "cake"', name: "cake" }],
    });
    const condition = "'bread' in topics && ('cake' in topics || !('tea' in topics))";
    expect(await bench.publish({ target: { kind: "condition", condition } })).toEqual({
      kind: "refused",
      code: "topic-unknown",
      fields: [
        { path: "target.condition", message: 'there is no topic "cake"', name: "cake" },
        { path: "target.condition", message: 'there is no topic "tea"', name: "tea" },
      ],
    });
    expect(await count()).toBe(0);
  });

  test("a token of nobody, of who has left, or of another project", async () => {
    const left = await bench.data.add();
    const registration = await bench.data.store.registrations.find(bench.project.id, left);
    await bench.data.store.registrations.leave(registration?.id ?? 0, 2);
    const other = await bench.data.store.projects.ensure("other", 1);
    const foreign = await bench.data.add({ projectId: other.id });
    for (const token of [randomToken(), left, foreign, "x"]) {
      expect(await bench.publish({ target: { kind: "token", token } })).toEqual({
        kind: "refused",
        code: "token-not-found",
        fields: [{ path: "target.token", message: "no registration that can be reached" }],
      });
    }
    const tokens = [randomToken(), left, foreign];
    expect(await bench.publish({ target: { kind: "tokens", tokens } })).toMatchObject({
      kind: "refused",
      code: "token-not-found",
      fields: [{ path: "target.tokens" }],
    });
    expect(await count()).toBe(0);
  });

  test("a time that is over, or too far, with the server's own", async () => {
    const now = "now it is 2026-11-20T12:00:00.000Z";
    const refused = [
      [{ scheduleAt: "2026-11-20T10:00:00Z" }, "schedule-in-past", "scheduleAt"],
      [{ scheduleAt: "2027-11-22T12:00:00Z" }, "schedule-too-far", "scheduleAt"],
      [{ scheduleAtLocal: "2026-11-19T09:00" }, "schedule-in-past", "scheduleAtLocal"],
      [{ scheduleAtLocal: "2030-01-01T09:00" }, "schedule-too-far", "scheduleAtLocal"],
    ] as const;
    for (const [schedule, code, path] of refused) {
      expect(await bench.publish(schedule)).toEqual({
        kind: "refused",
        code,
        fields: [{ path, message: now }],
      });
    }
    expect(await count()).toBe(0);
  });

  test("the first thing that is wrong, in the order target, schedule, size", async () => {
    const large = { title: "Olá", body: "🔔".repeat(2_000) };
    const past = { scheduleAt: "2026-11-20T10:00:00Z" };
    const nowhere = { target: { kind: "topic", topic: "none" } } as const;
    const code = async (over: Partial<MessageRequest>) => {
      const result = await bench.publish(over);
      return result.kind === "refused" ? result.code : result.kind;
    };
    expect(await code({ notification: large, ...past, ...nowhere })).toBe("topic-unknown");
    expect(await code({ notification: large, ...past })).toBe("schedule-in-past");
    expect(await code({ notification: large })).toBe("notification-too-large");
    expect(await count()).toBe(0);
  });
});

test("a user without a browser, and tokens of which one is there, are no slip", async () => {
  const token = await bench.data.add();
  const nobodys = Array.from({ length: 999 }, randomToken);
  const target = { kind: "user", userId: "nobody" } as const;
  expect(await bench.publish({ target })).toMatchObject({ kind: "published" });
  const tokens = [...nobodys, token];
  const result = await bench.publish({ target: { kind: "tokens", tokens } }, "once");
  expect(result).toMatchObject({
    kind: "published",
    published: { unknown: { count: 999, tokens: nobodys.slice(0, 100) } },
  });
  // Nothing is said where nothing is to be said.
  const known = await bench.publish({ target: { kind: "tokens", tokens: [token] } });
  expect(known.kind === "refused" ? known : known.published).not.toHaveProperty("unknown");
});

test("a topic's name that is given as a token is told of", async () => {
  await bench.data.store.topics.add(bench.project.id, { name: "ofertas", policy: "open" }, 1);
  const target = { kind: "token", token: "ofertas" } as const;
  expect(await bench.publish({ target })).toMatchObject({
    code: "token-not-found",
    isTopic: true,
    fields: [{ path: "target.token", message: expect.stringContaining('topic "ofertas"') }],
  });
});

test("a condition whose topics are there is published", async () => {
  for (const name of ["bread", "cake"]) {
    await bench.data.store.topics.add(bench.project.id, { name, policy: "open" }, 1);
  }
  const condition = "'bread' in topics && !('cake' in topics)";
  const target = { kind: "condition", condition } as const;
  expect(await find(await bench.mustPublish({ target }))).toMatchObject({ target });
});

describe("size", () => {
  test("is measured with the origin that browsers registered on, too", async () => {
    // Two links are resolved against the origin: a longer one makes the payload longer, twice.
    const link = `/${"y".repeat(900)}`;
    const notification = { title: "Olá", body: "x".repeat(1_850), link, icon: link };
    expect(await bench.publish({ notification })).toMatchObject({ kind: "published" });
    await bench.data.add({ origin: `https://${"a-long-name.".repeat(10)}example` });
    expect(await bench.publish({ notification })).toMatchObject({
      code: "notification-too-large",
    });
  });

  test("is not looked up among the registrations where a message fits whatever the origin", async () => {
    const { registrations } = bench.data.store;
    const longestOrigin = vi.spyOn(registrations, "longestOrigin");
    const addresses = { link: "/a", icon: "/b", image: "/c", badge: "/d" };
    const sized = (bytes: number) => ({ title: "Olá", body: "x".repeat(bytes), ...addresses });
    expect(await bench.publish({ notification: sized(1_000) })).toMatchObject({
      kind: "published",
    });
    expect(longestOrigin).not.toHaveBeenCalled();
    const link = `/${"y".repeat(1_900)}`;
    expect(await bench.publish({ notification: { ...sized(1_000), link } })).toMatchObject({
      kind: "published",
    });
    expect(longestOrigin).toHaveBeenCalledOnce();
  });

  test("3,993 bytes go, receipt key, data and actions among them, and 3,994 do not", async () => {
    const notification = (body: string): NotificationContent => ({
      title: "Olá",
      body,
      link: `/${"y".repeat(1_500)}`,
      actions: [
        { action: "1", title: "Ver", link: `/${"z".repeat(400)}` },
        { action: "2", title: "Não", link: "https://loja.example/" },
      ],
    });
    const data = { order: { id: 42, ção: "🔔" } };
    const id = randomUUIDv7();
    const key = receiptKey(Buffer.alloc(32), id, randomToken());
    /** As the sender makes it. */
    const plaintext = (body: string) =>
      payloadOf({ id, notification: notification(body), data }, origin).withKey(key);
    const exact = "x".repeat(limits.plaintextBytes - plaintext("").length);

    const { keys } = testSubscription();
    const parsed = parsePushKeys(keys.p256dh, keys.auth);
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(seal(plaintext(exact), parsed.keys).length).toBe(4_096);
    expect(() => seal(plaintext(`${exact}x`), parsed.keys)).toThrow(RangeError);

    const publish = (body: string) => bench.publish({ notification: notification(body), data });
    expect(await publish(exact)).toMatchObject({ kind: "published" });
    expect(await publish(`${exact}x`)).toEqual({
      kind: "refused",
      code: "notification-too-large",
      fields: [
        {
          path: "notification",
          message: "takes 3994 bytes, 1 more than the 3993 that push services carry",
        },
      ],
    });
  });
});

describe("the idempotency key", () => {
  const request = { data: { a: 1, b: { c: [1, 2], d: null } }, ttlSeconds: 60 };

  test("publishes the same request once, in whatever order its fields stand", async () => {
    const id = await bench.mustPublish(request, "key");
    bench.clock.nowMs += 3_600_000;
    const turned = { ttlSeconds: 60, data: { b: { d: null, c: [1, 2] }, a: 1 } };
    expect(await bench.publish({ ...turned, dryRun: false }, "key")).toEqual({
      kind: "repeated",
      published: { id, state: "sending", scheduleAt: "2026-11-20T12:00:00.000Z" },
    });
    expect(await count()).toBe(1);
  });

  test("answers as well when the time is over, or the topic gone, that were good at first", async () => {
    const { store, projectId } = bench.data;
    await store.topics.add(projectId, { name: "bread", policy: "open" }, 1);
    const late = {
      target: { kind: "topic", topic: "bread" } as const,
      scheduleAt: new Date(bench.clock.nowMs + 1_000).toISOString(),
    };
    const id = await bench.mustPublish(late, "key");
    bench.clock.nowMs += 3_600_000;
    await store.topics.remove((await store.topics.find(projectId, "bread"))?.id ?? 0);
    expect(await bench.publish(late, "key")).toMatchObject({ published: { id } });
    expect(await bench.publish(late, "other")).toMatchObject({ kind: "refused" });
    expect(await bench.publish({ ...late, ttlSeconds: 1 }, "key")).toMatchObject({
      code: "idempotency-key-reused",
    });
  });

  test("answers with the message as it stands now", async () => {
    const id = await bench.mustPublish(request, "key");
    await bench.messages.cancel(bench.project, id, asker);
    expect(await bench.publish(request, "key")).toMatchObject({
      kind: "repeated",
      published: { id, state: "cancelled" },
    });
  });

  test.for<[what: string, change: Partial<MessageRequest>]>([
    ["title", { notification: { title: "Oi" } }],
    ["a field more", { urgency: "high" }],
    ["the order of a list", { data: { a: 1, b: { c: [2, 1], d: null } } }],
    ["a list as an object", { data: { a: 1, b: { c: { "0": 1, "1": 2 }, d: null } } }],
    ["a number as text", { data: { a: "1", b: { c: [1, 2], d: null } } }],
    ["where data stands", { data: { a: 1, b: { c: [1, 2] }, d: null } }],
  ])("is refused for another request: %s", async ([, change]) => {
    await bench.mustPublish(request, "key");
    expect(await bench.publish({ ...request, ...change }, "key")).toEqual({
      kind: "refused",
      code: "idempotency-key-reused",
    });
    expect(await count()).toBe(1);
  });

  test("is its project's own, and without one a request is new each time", async () => {
    await bench.mustPublish(request, "key");
    const other = await bench.data.store.projects.ensure("other", 1);
    const elsewhere = { id: other.id, origins: bench.project.origins };
    expect(
      await bench.messages.publish(elsewhere, requestWith(request), asker, "key"),
    ).toMatchObject({
      kind: "published",
    });
    await bench.mustPublish(request);
    await bench.mustPublish(request);
    expect(await count()).toBe(3);
  });

  test("of two at once, one is published", async () => {
    const results = await Promise.all([1, 2, 3].map(() => bench.publish(request, "key")));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual([
      "published",
      "repeated",
      "repeated",
    ]);
    expect(await count()).toBe(1);
  });
});

describe("the audit", () => {
  const lines = () => bench.data.store.audit.list([bench.project.id], { limit: 9 });

  test("tells who published and who cancelled, once", async () => {
    const request = { notification: { title: `${"x".repeat(99)}🔔🔔` } };
    const id = await bench.mustPublish(request, "key");
    await bench.publish(request, "key");
    await bench.publish({ notification: { title: "another" } }, "key");
    await bench.messages.cancel(bench.project, id, asker);
    await bench.messages.cancel(bench.project, id, asker);
    const line = { ...asker, projectId: bench.project.id, subject: id, atMs: bench.clock.nowMs };
    const title = `${"x".repeat(99)}🔔`;
    expect(await lines()).toEqual([
      { ...line, id: 2, action: "message.cancelled", change: null },
      { ...line, id: 1, action: "message.published", change: { title, target: { kind: "all" } } },
    ]);
  });

  test("names no visitor", async () => {
    const [token, other] = [await bench.data.add(), await bench.data.add()];
    await bench.mustPublish({ target: { kind: "token", token } });
    await bench.mustPublish({ target: { kind: "tokens", tokens: [token, other] } });
    await bench.mustPublish({ target: { kind: "user", userId: "baker" } });
    expect((await lines()).map(({ change }) => change?.["target"])).toEqual([
      { kind: "user" },
      { kind: "tokens", count: 2 },
      { kind: "token" },
    ]);
  });
});
