import { messageRequestSchema } from "@sineta/protocol";
import { expect, test } from "vitest";
import { requestOf } from "./request.ts";
import { contentOf, nothingWritten, readWritten, type Written } from "./written.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const of = (over: Partial<Written>, ownToken: string | null = null) =>
  requestOf({ ...nothingWritten, title: "Pão", ...over }, { ownToken, nowMs });

const whole: Partial<Written> = {
  title: " Pão quente ",
  body: "Saiu do forno",
  link: "/pao",
  icon: "https://site.example/icon.png",
  actions: [{ action: "buy", title: "Comprar", link: "" }],
  audience: "rule",
  rule: { every: true, lines: [{ isIn: true, topics: ["bread"] }] },
  when: "local",
  at: "2026-12-01T09:00",
  ttlSeconds: 3600,
  urgency: "high",
  collapseKey: "news",
  silent: true,
};

test("what is written whole is a request that the server takes", () => {
  const { request, flaws } = of(whole);
  expect(flaws).toEqual({});
  expect(messageRequestSchema.parse(request)).toEqual({
    target: { kind: "condition", condition: "'bread' in topics" },
    notification: {
      title: "Pão quente",
      body: "Saiu do forno",
      link: "/pao",
      icon: "https://site.example/icon.png",
      actions: [{ action: "buy", title: "Comprar" }],
      silent: true,
    },
    ttlSeconds: 3600,
    urgency: "high",
    collapseKey: "news",
    scheduleAtLocal: "2026-12-01T09:00",
  });
});

test.for<[Partial<Written>, Record<string, string>]>([
  [{ title: "  " }, { "notification.title": "missing" }],
  [{ title: "\u200b" }, { "notification.title": "missing" }],
  [{ title: "Promo \ud83d" }, { "notification.title": "cut-character" }],
  [{ body: "Promo \ud83d" }, { "notification.body": "cut-character" }],
  [{ title: "x".repeat(201) }, { "notification.title": "too-long" }],
  [{ body: "x".repeat(2001) }, { "notification.body": "too-long" }],
  [{ link: "site.example" }, { "notification.link": "not-a-link" }],
  [{ link: "https:/site.example/promo" }, { "notification.link": "not-a-link" }],
  [{ image: "//evil.example/x" }, { "notification.image": "not-a-link" }],
  [{ icon: "javascript:alert(1)" }, { "notification.icon": "not-a-link" }],
  [
    { actions: [{ action: "a", title: "\u3164", link: "" }] },
    { "notification.actions.0.title": "missing" },
  ],
  [
    { actions: [{ action: "a", title: " ", link: "x" }] },
    { "notification.actions.0.title": "missing", "notification.actions.0.link": "not-a-link" },
  ],
  [{ audience: "topics" }, { "target.topic": "missing" }],
  [{ audience: "rule" }, { "target.condition": "missing" }],
  [{ audience: "user", userId: " " }, { "target.userId": "missing" }],
  [{ audience: "browser" }, { "target.token": "no-browser" }],
  [
    { audience: "topics", topics: Array.from({ length: 21 }, (_, n) => `t${n}`) },
    { "target.condition": "too-many-topics" },
  ],
  [{ when: "at" }, { scheduleAt: "missing" }],
  [{ when: "at", at: "2026-11-19T00:00" }, { scheduleAt: "in-past" }],
  [{ when: "local", at: "2028-11-19T00:00" }, { scheduleAtLocal: "too-far" }],
  [{ ttlSeconds: -1 }, { ttlSeconds: "not-a-ttl" }],
  [{ ttlSeconds: 0.5 }, { ttlSeconds: "not-a-ttl" }],
  [{ collapseKey: "a b" }, { collapseKey: "not-a-key" }],
])("%j is told at its field, as the server would", ([over, flaws]) => {
  const made = of(over);
  expect(made.flaws).toEqual(flaws);
  // The time, the own browser and how many topics there are the schema does not know, and a missing time is left out.
  const isShape = Object.entries(flaws).every(
    ([path, flaw]) =>
      !path.startsWith("schedule") && flaw !== "no-browser" && flaw !== "too-many-topics",
  );
  expect(messageRequestSchema.safeParse(made.request).success && isShape).toBe(false);
});

test("replaces pasted control characters with spaces, and counts 🔔 as one character", () => {
  const { request, flaws } = of({
    title: "🔔".repeat(200),
    body: "Pão\tquente\r\nàs 7h",
    actions: [{ action: "a", title: "Ver\u000btudo", link: "" }],
  });
  expect(flaws).toEqual({});
  expect(messageRequestSchema.parse(request).notification).toMatchObject({
    body: "Pão quente\nàs 7h",
    actions: [{ title: "Ver tudo" }],
  });
});

test("several topics are one condition, one is a topic, and the own browser a token", () => {
  expect(of({ audience: "topics", topics: ["a"] }).request.target).toEqual({
    kind: "topic",
    topic: "a",
  });
  expect(of({ audience: "topics", topics: ["a", "b"] }).request.target).toEqual({
    kind: "condition",
    condition: "'a' in topics || 'b' in topics",
  });
  expect(of({ audience: "browser" }, "own").request.target).toEqual({
    kind: "token",
    token: "own",
  });
});

test("a draft gives back what was written, and of anything else what can be read", () => {
  const written = { ...nothingWritten, ...whole };
  expect(readWritten(contentOf(written))).toEqual(written);
  expect(readWritten({})).toEqual(nothingWritten);
  expect(
    readWritten({
      title: 7,
      actions: [{ title: "a" }, "b"],
      topics: ["a", 1],
      rule: { lines: "x" },
      audience: "everybody",
      ttlSeconds: "x",
      carried: { data: [] },
    }),
  ).toEqual({
    ...nothingWritten,
    actions: [{ action: "action-1", title: "a", link: "" }],
    topics: ["a"],
  });
});
