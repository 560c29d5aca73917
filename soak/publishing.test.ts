import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  dryRunSchema,
  messageProgressSchema,
  topicChangeSchema,
  topicListSchema,
  type DryRun,
  type MessageProgress,
  type MessageTarget,
} from "@sineta/protocol";
import { testBrowser } from "../packages/server/src/test/browser.ts";
import { siteClient } from "../packages/server/src/test/http-client.ts";
import { post, problemOf } from "./support/post.ts";
import { preloads } from "./support/preloads.ts";
import { scaled } from "./support/scale.ts";
import {
  apple,
  everyService,
  fcm,
  hello,
  isDone,
  mozilla,
  setScene,
  windows,
  type Scene,
} from "./support/scene.ts";
import { endpointsAt } from "./support/seed.ts";
import { takenPaths } from "./support/taken-paths.ts";

vi.setConfig({ testTimeout: scaled(120_000, 3_600_000) });

const registrations = scaled(5_000, 20_000);
const loaded = preloads();
/** Keys, tokens and client secrets: nobody reads them in a log. */
const secrets: string[] = [];
let scene: Scene;
let site: Awaited<ReturnType<typeof siteClient>>;

/** Browsers by name. Their paths are `/browser/NAME`. */
const tokens = new Map<string, string>();
const browsers = [
  { name: "baker-1", origin: fcm, user: "baker", topics: ["news", "sport"] },
  { name: "baker-2", origin: apple, user: "baker", topics: ["news"] },
  { name: "writer", origin: mozilla, user: "writer", topics: ["sport"] },
  { name: "grocer", origin: windows, user: "grocer: 1", topics: ["news", "weather"] },
  { name: "nobody", origin: mozilla, user: undefined, topics: [] },
] as const;
const topics = ["news", "sport", "weather", "empty"];

beforeAll(async () => {
  scene = await setScene(endpointsAt(everyService, registrations), {
    check: "all",
    keep: 2 * registrations,
    environment: { ...loaded.environment, SINETA_LOG_LEVEL: "trace" },
  });
  const { server, apiKey, registered } = scene;
  site = await siteClient(server.url);
  for (const topic of topics) {
    const added = await server.run("topics", "add", topic, "--kept");
    if (added.status !== 0) throw new Error(added.stderr);
  }
  const userKey = (await server.run("user-key")).stdout.trim();
  for (const { name, origin, user } of browsers) {
    const browser = testBrowser();
    browser.subscription.endpoint = `${origin}/browser/${name}`;
    const userToken = user === undefined ? null : signed(user, userKey);
    const { token } = await site.register(browser, undefined, { userToken });
    tokens.set(name, token);
    const { keys } = browser.subscription;
    secrets.push(token, browser.clientSecret, keys.p256dh, keys.auth);
  }
  secrets.push(apiKey, userKey, ...registered.map(({ token }) => token));
});
afterAll(async () => {
  await scene.close();
  loaded.remove();
});

/** A user token, as the site's backend makes it. */
function signed(sub: string, userKey: string): string {
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
  const text = `${part({ alg: "HS256" })}.${part({ sub, exp: Math.floor(Date.now() / 1000) + 600 })}`;
  return `${text}.${createHmac("sha256", userKey).update(text).digest("base64url")}`;
}

const tokenOf = (name: string) => tokens.get(name) ?? "";

async function change(topic: string, how: "join" | "leave", names: readonly string[]) {
  const answer = await post(scene, `topics/${topic}/${how}`, { tokens: names.map(tokenOf) });
  return topicChangeSchema.parse(await answer.json());
}

describe("topics", () => {
  const counts = async () => {
    const { topics: listed } = topicListSchema.parse(await (await scene.ask("topics")).json());
    return Object.fromEntries(listed.map((topic) => [topic.name, topic.registrations]));
  };

  test("are joined and left in bulk, and counted", async () => {
    for (const topic of topics) {
      const members = browsers.filter((browser) => browser.topics.some((name) => name === topic));
      if (members.length === 0) continue;
      const names = members.map(({ name }) => name);
      // Once more changes nothing.
      const twice = [await change(topic, "join", names), await change(topic, "join", names)];
      expect(twice).toEqual([1, 2].map(() => ({ registrations: names.length, unknown: [] })));
    }
    expect(await counts()).toEqual({ news: 3, sport: 2, weather: 1, empty: 0 });

    const many = scene.registered.slice(0, 1_000).map(({ token }) => token);
    const joined = await post(scene, "topics/empty/join", { tokens: [...many.slice(1), "x"] });
    expect(await joined.json()).toEqual({ registrations: 999, unknown: ["x"] });
    expect((await counts())["empty"]).toBe(999);
    const left = await post(scene, "topics/empty/leave", { tokens: many });
    expect(await left.json()).toEqual({ registrations: 1_000, unknown: [] });
    expect((await counts())["empty"]).toBe(0);

    const unknown = await post(scene, "topics/none/join", { tokens: many.slice(0, 1) });
    expect(await problemOf(unknown)).toMatchObject({ status: 404, code: "topic-unknown" });
    const tooMany = await post(scene, "topics/news/join", { tokens: [...many, "x"] });
    expect(await problemOf(tooMany)).toMatchObject({ status: 400, code: "body-invalid" });
    const listed = (await scene.server.run("topics")).stdout;
    expect(listed).toMatch(/^news +kept +3$/m);
  });
});

describe("a message to", () => {
  const condition = (text: string): MessageTarget => ({ kind: "condition", condition: text });
  /** Whom each reaches: browsers by name, and how many of the others. */
  const cases: [string, () => MessageTarget, readonly string[], number?][] = [
    ["a topic", () => ({ kind: "topic", topic: "news" }), ["baker-1", "baker-2", "grocer"]],
    ["a topic without anybody", () => ({ kind: "topic", topic: "empty" }), []],
    ["two topics", () => condition("'news' in topics && 'sport' in topics"), ["baker-1"]],
    [
      "a nested condition",
      () => condition("'sport' in topics || ('news' in topics && !('weather' in topics))"),
      ["baker-1", "baker-2", "writer"],
    ],
    [
      "whoever is not in it",
      () => condition("!('news' in topics)"),
      ["nobody", "writer"],
      registrations,
    ],
    ["a user", () => ({ kind: "user", userId: "baker" }), ["baker-1", "baker-2"]],
    ["a user with a colon", () => ({ kind: "user", userId: "grocer: 1" }), ["grocer"]],
    ["a user without a browser", () => ({ kind: "user", userId: "Baker" }), []],
    ["a token", () => ({ kind: "token", token: tokenOf("writer") }), ["writer"]],
    [
      "tokens, one of them twice and one nobody's",
      () => ({
        kind: "tokens",
        tokens: [tokenOf("writer"), tokenOf("grocer"), tokenOf("writer"), "nobody's"],
      }),
      ["grocer", "writer"],
    ],
  ];
  /** All go out beside each other; the collapse key says which is which. */
  const keyOf = (index: number) => String(index).padStart(2, "0");
  let published: { told: DryRun; done: MessageProgress }[];
  beforeAll(async () => {
    scene.sink.reset();
    published = await Promise.all(
      cases.map(async ([, targetOf], index) => {
        const request = { ...hello, target: targetOf(), collapseKey: keyOf(index) };
        const dry = await post(scene, "messages", { ...request, dryRun: true });
        const told = dryRunSchema.parse(await dry.json());
        return { told, done: await scene.until(await scene.publish(request), isDone) };
      }),
    );
  });

  test.for(cases.map(([what], index) => [what, index] as const))(
    "%s reaches exactly those, as the dry run foretold",
    ([, index]) => {
      const [, , names = [], others = 0] = cases[index] ?? [];
      const pushes = scene.sink.kept().filter(({ headers }) => headers["topic"] === keyOf(index));
      const paths = pushes.map(({ endpoint }) => new URL(endpoint).pathname);
      const reached = paths.flatMap((path) => /^\/browser\/(.+)$/.exec(path)?.[1] ?? []);
      expect(reached.toSorted()).toEqual(names);
      expect(new Set(paths).size).toBe(names.length + others);
      expect(paths).toHaveLength(names.length + others);

      const { told, done } = published[index] ?? {};
      expect(told?.registrations).toBe(paths.length);
      expect(done?.counts.accepted).toBe(paths.length);
      expect(told?.byPushService).toEqual(
        done?.byPushService.map(({ pushService, counts }) => ({
          pushService,
          registrations: counts.accepted,
          refused: [],
          waiting: [],
          warnings: [],
        })),
      );
    },
  );

  test("a topic, a user and tokens from the command line reaches exactly those", async () => {
    const { server, sink } = scene;
    const file = join(server.data, "tokens.txt");
    writeFileSync(file, `${tokenOf("baker-2")}\n${tokenOf("nobody")}\n`);
    for (const { words, paths } of [
      { words: ["--to", "topic:sport"], paths: ["/browser/baker-1", "/browser/writer"] },
      { words: ["--to", "user:grocer: 1"], paths: ["/browser/grocer"] },
      { words: ["--tokens", file], paths: ["/browser/baker-2", "/browser/nobody"] },
    ]) {
      sink.reset();
      const sent = await server.run("send", "--title", "Olá", "--body", "x", ...words);
      expect(sent).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`: ${paths.length} accepted, 0 gone`),
      });
      expect([...takenPaths(sink).keys()].toSorted()).toEqual(paths);
    }
  });
});

type Told = { event: string; status: MessageProgress };

/** All that a message's event stream tells, to its end. */
async function eventsOf(id: string): Promise<Told[]> {
  const answer = await scene.ask(`messages/${id}/events`);
  expect(answer.headers.get("Content-Type")).toMatch(/^text\/event-stream/);
  return (await answer.text())
    .split("\n\n")
    .map((block) => ({
      event: /^event: ?(.*)$/m.exec(block)?.[1] ?? "",
      data: /^data: ?(.*)$/m.exec(block)?.[1] ?? "",
    }))
    .filter(({ event }) => event !== "")
    .map(({ event, data }) => ({ event, status: messageProgressSchema.parse(JSON.parse(data)) }));
}

/** What `sineta_pushes_total` says, by push service and outcome; what is 0 is left out. */
async function pushesCounted(): Promise<Record<string, number>> {
  const text = await (await fetch(new URL("/metrics", scene.server.url))).text();
  const lines = text.matchAll(
    /^sineta_pushes_total\{push_service="(\w+)",outcome="(\w+)"\} (\d+)$/gm,
  );
  const counted = Array.from(lines, ([, service, outcome, count]) => [
    `${service} ${outcome}`,
    Number(count),
  ]);
  return Object.fromEntries(counted.filter(([, count]) => count !== 0));
}

test("a broadcast is told alike by two event streams, HTTP, the metrics, the command line and the push services", async () => {
  const { server, sink } = scene;
  sink.reset();
  const before = await pushesCounted();
  sink.misbehave({ path: "/push/1", fault: { kind: "answer", status: 410 } });
  sink.misbehave({ path: "/push/2", fault: { kind: "answer", status: 404 } });
  sink.misbehave({ path: "/push/3", fault: { kind: "answer", status: 413 } });
  sink.misbehave({ path: "/push/4", fault: { kind: "answer", status: 400, body: "no" } });
  const busy = { status: 503, headers: { "retry-after": "1" }, body: "busy" };
  sink.misbehave({ path: "/push/*", fault: { kind: "answer", ...busy }, times: 30 });

  const id = await scene.publish();
  const streams = await Promise.all([eventsOf(id), eventsOf(id)]);
  const status = await scene.status(id);
  const audience = registrations + browsers.length;
  expect(status).toMatchObject({
    state: "done",
    audience: { registrations: audience, complete: true },
    counts: { accepted: audience - 4, gone: 2, retry: 0, rejected: 2, failed: 0 },
    unsent: 0,
  });
  expect([...takenPaths(sink).keys()]).toEqual(
    expect.arrayContaining(browsers.map(({ name }) => `/browser/${name}`)),
  );
  for (const told of streams) {
    expect(told.at(-1)).toEqual({ event: "end", status });
    expect(told.slice(0, -1).map(({ event }) => event)).toEqual(
      told.slice(1).map(() => "progress"),
    );
    // While it runs, and never backwards.
    expect(told.length).toBeGreaterThan(2);
    const sent = told.map(({ status: { counts } }) => counts.accepted);
    expect(sent).toEqual(sent.toSorted((one, other) => one - other));
  }

  const { statuses, distinct, duplicates, origins } = sink.counts();
  expect({ distinct, duplicates }).toEqual({ distinct: audience - 4, duplicates: 0 });
  expect(statuses).toEqual({ 201: audience - 4, 404: 1, 410: 1, 413: 1, 400: 1, 503: 30 });
  const serviceOf: Record<string, string> = { fcm, mozilla, apple, windows };
  for (const { pushService, counts } of status.byPushService) {
    expect(counts.accepted).toBe(origins[serviceOf[pushService] ?? ""]?.accepted);
  }

  const after = await pushesCounted();
  const counted = (outcome: string) =>
    Object.keys(serviceOf).reduce((sum, service) => {
      const name = `${service} ${outcome}`;
      return sum + (after[name] ?? 0) - (before[name] ?? 0);
    }, 0);
  expect(["accepted", "ended", "retried", "rejected", "failed"].map(counted)).toEqual([
    audience - 4,
    2,
    30,
    2,
    0,
  ]);
  for (const { pushService, counts } of status.byPushService) {
    const name = `${pushService} accepted`;
    expect((after[name] ?? 0) - (before[name] ?? 0)).toBe(counts.accepted);
  }

  const shown = (await server.run("messages", id)).stdout;
  for (const [outcome, count] of Object.entries({ ...status.counts, unsent: 0 })) {
    expect(shown).toMatch(new RegExp(`^ *${outcome} +${count}$`, "m"));
  }
  for (const { pushService, registrations: planned, counts, unsent } of status.byPushService) {
    const figures = [planned, ...Object.values(counts), unsent].join(" +");
    expect(shown).toMatch(new RegExp(`^ *${pushService} +${figures}$`, "m"));
  }
  const left = await post(scene, "messages", { ...hello, dryRun: true });
  const { byPushService: live } = dryRunSchema.parse(await left.json());
  const overall: unknown = JSON.parse((await server.run("status", "--json")).stdout);
  const liveOf = live.map((one) => ({ pushService: one.pushService, count: one.registrations }));
  expect(liveOf).toHaveLength(everyService.length);
  expect(overall).toMatchObject({
    running: true,
    healthy: true,
    queue: { openBatches: 0, retries: 0 },
    breakers: [],
    registrations: expect.arrayContaining(liveOf),
  });
  const listed = (await server.run("messages")).stdout
    .split("\n")
    .find((line) => line.includes(id));
  expect(listed).toMatch(new RegExp(`done +${audience} +${audience - 4} +2 +0 +0`));
});

test("the log of all this tells of it, and holds no endpoint, no key, no token and no secret", async () => {
  const { server, sink } = scene;
  // And of what goes wrong: a key that is refused, connections that break, requests that nobody may make.
  sink.misbehave({ origin: "https://fcm.googleapis.com", fault: { kind: "refuse-vapid" } });
  sink.misbehave({ fault: { kind: "hang-up" }, times: 200 });
  const held = await scene.publish();
  await scene.until(held, ({ state }) => state === "paused");
  const wrong = `sineta_${"w".repeat(43)}`;
  secrets.push(wrong);
  await fetch(new URL("/v1/projects/default/messages", server.url), {
    headers: { Authorization: `Bearer ${wrong}` },
  });
  await fetch(`${site.project}/registrations`, {
    ...site.request(testBrowser()),
    body: `{"token":"${tokenOf("writer")}`,
  });
  const browser = testBrowser();
  secrets.push(browser.clientSecret);
  await fetch(`${site.project}/registrations/${tokenOf("writer")}`, {
    method: "DELETE",
    headers: { Origin: site.origin, "Sineta-Client-Secret": browser.clientSecret },
  });
  await post(scene, `messages/${held}/cancel`);

  const log = loaded.stderr();
  expect(log).toContain('"listening"');
  expect(log).toContain('"message done"');
  expect(log).toContain('"not accepted"');
  expect(log).toContain("refuses the VAPID key");
  const found = [...secrets, "/push/", "/browser/", "vapid t=", "Bearer", "eyJ"].filter((text) =>
    log.includes(text),
  );
  expect(found).toEqual([]);
});
