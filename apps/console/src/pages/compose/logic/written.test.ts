import type { MessageStatus } from "@sineta/protocol";
import { describe, expect, test } from "vitest";
import { noFigures } from "../../../test/no-figures.ts";
import { requestOf } from "./request.ts";
import { changeOf, contentOf, nothingWritten, readWritten, writtenLike } from "./written.ts";

const nowMs = new Date("2026-11-20T12:00").getTime();
const request = {
  target: { kind: "topic", topic: "bread" },
  notification: {
    title: "Pão",
    body: "quente",
    link: "/a",
    icon: "/b.png",
    image: "/c.png",
    badge: "/d.png",
    tag: "e",
    renotify: true,
    silent: true,
    requireInteraction: true,
    actions: [{ action: "f", title: "g", link: "/h" }],
    lang: "pt-BR",
    dir: "ltr",
  },
  data: { price: 3 },
  ttlSeconds: 3600,
  urgency: "high",
  collapseKey: "i",
} as const satisfies Partial<MessageStatus>;

const message = (over: Partial<MessageStatus> = {}): MessageStatus => ({
  id: "m",
  state: "done",
  ...request,
  scheduleAt: new Date(nowMs - 1).toISOString(),
  createdAt: new Date(nowMs - 1).toISOString(),
  ...noFigures,
  ...over,
});

const copied = (over: Partial<MessageStatus> = {}) => {
  const written = writtenLike(message(over), nowMs);
  return requestOf(written, { ownToken: null, nowMs }).request;
};

describe("a copy of a message", () => {
  test("that was published at once goes at once, also by a clock that is behind the server's", () => {
    const ahead = new Date(nowMs + 5_000).toISOString();
    expect(copied({ scheduleAt: ahead, createdAt: ahead })).toEqual(request);
  });

  test("has the other time once an operator changes it", () => {
    const scheduleAt = new Date("2026-11-20T12:00:30.250").toISOString();
    const written = { ...writtenLike(message({ scheduleAt }), nowMs), at: "2026-11-20T13:00" };
    expect(requestOf(written, { ownToken: null, nowMs }).request).toEqual({
      ...request,
      scheduleAt: new Date("2026-11-20T13:00").toISOString(),
    });
  });

  test("says all that it says, and goes at once if its time is over", () => {
    expect(copied()).toEqual(request);
  });

  test.for(["scheduled", "cancelled"] as const)(
    "keeps its time exactly if that is to come, also if it is %s",
    (state) => {
      const scheduleAt = new Date("2026-11-20T12:00:30.250").toISOString();
      expect(copied({ state, scheduleAt })).toEqual({ ...request, scheduleAt });
      const scheduleAtLocal = "2026-11-21T09:00";
      const local = { state, scheduleAt: "2026-11-20T19:00:00.000Z", scheduleAtLocal };
      expect(copied(local)).toEqual({ ...request, scheduleAtLocal });
    },
  );

  test("goes at once if its time of day is over where the operator is", () => {
    expect(copied({ scheduleAtLocal: "2026-11-20T12:00" })).toEqual(request);
  });

  test("goes to the same list of browsers, also from a draft", () => {
    const target = { kind: "tokens" as const, tokens: ["a", "b"] };
    expect(copied({ target })).toEqual({ ...request, target });
    const written = writtenLike(message({ target }), nowMs);
    expect(readWritten(contentOf(written))).toEqual(written);
  });
});

test("a change of a scheduled message replaces it and keeps its time, even a time that is over", () => {
  const scheduleAtLocal = "2026-11-20T11:00";
  const written = changeOf(message({ state: "scheduled", scheduleAtLocal }));
  expect(requestOf(written, { ownToken: null, nowMs }).request).toEqual({
    ...request,
    scheduleAtLocal,
    replaces: "m",
  });
  const late = changeOf(message({ scheduleAt: new Date("2026-11-20T11:00").toISOString() }));
  expect(late).toMatchObject({ when: "at", at: "2026-11-20T11:00" });
});

test("a draft keeps the id of the message that it replaces, and its request names that message", () => {
  const written = { ...nothingWritten, title: "a", replaces: "m" };
  expect(readWritten(contentOf(written))).toEqual(written);
  expect(requestOf(written, { ownToken: null, nowMs }).request).toMatchObject({ replaces: "m" });
});

test.for([
  "garbage",
  "2026-13-45T99:99",
  "2026-02-31T09:00",
  "2026-12-01",
  "2026-12-01T09:00Z",
  "2026-12-01T24:00",
  "2026-12-01T09:00T",
  7,
])("a draft whose moment is %j has no moment", (at) => {
  expect(readWritten({ when: "at", at }).at).toBe("");
});

test.for(["2026-12-01T09:00", "2026-12-01T09:00:30"])("a draft keeps the moment %s", (at) => {
  expect(readWritten({ when: "at", at }).at).toBe(at);
});
