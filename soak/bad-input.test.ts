import { once } from "node:events";
import { request as openRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  dryRunSchema,
  idempotencyKeyHeader,
  limits,
  linkExpected,
  messageListSchema,
  publishedSchema,
  type MessageRequest,
} from "@sineta/protocol";
import { post, problemOf } from "./support/post.ts";
import { preloads } from "./support/preloads.ts";
import { scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import {
  apple,
  everyService,
  fcm,
  hello,
  isDone,
  setScene,
  windows,
  type Scene,
} from "./support/scene.ts";

vi.setConfig({ testTimeout: scaled(120_000, 3_600_000) });

/** One server for all: whatever comes in, it lives on. */
let scene: Scene;
beforeAll(async () => {
  scene = await setScene(endpointsAt(everyService, everyService.length), {
    check: "all",
    keep: 1_000,
  });
});
afterAll(() => scene.close());

/** Expects that a message is refused so, and gives the fields as `path: message`. */
async function refusal(body: unknown, status: number, code: string): Promise<string[]> {
  const answer = await post(scene, "messages", body);
  const { fields = [], ...problem } = await problemOf(answer);
  expect({ answered: answer.status, ...problem }).toMatchObject({ answered: status, status, code });
  return fields.map(({ path, message }) => `${path}: ${message}`);
}

const withNotification = (more: Record<string, unknown>) => ({
  ...hello,
  notification: { title: "Olá", ...more },
});

/** What the sink took of a message to everybody, once it is done. */
async function arrived(over: Partial<MessageRequest>) {
  scene.sink.reset();
  const id = await scene.publish(over);
  const { counts } = await scene.until(id, isDone);
  return { counts, pushes: scene.sink.kept() };
}

const everybody = { accepted: everyService.length, gone: 0, retry: 0, rejected: 0, failed: 0 };

describe("how much fits", () => {
  /** Absolute links, so that the sites' names add nothing. */
  const withData = (characters: number): MessageRequest => ({
    ...hello,
    notification: { title: "Olá", link: "https://site.example/" },
    data: { filler: "x".repeat(characters) },
  });
  let fits: number;
  beforeAll(async () => {
    const answer = await post(scene, "messages", { ...withData(0), dryRun: true });
    fits = limits.plaintextBytes - dryRunSchema.parse(await answer.json()).plaintextBytes;
  });

  test("3,993 bytes go, and arrive sealed as 4,096 everywhere", async () => {
    const { counts, pushes } = await arrived(withData(fits));
    expect(counts).toEqual(everybody);
    expect(pushes.map(({ body }) => body.byteLength)).toEqual(everyService.map(() => 4096));
  });

  test("3,994 are refused with the number, over HTTP and on the command line", async () => {
    const sentence = "takes 3994 bytes, 1 more than the 3993 that push services carry";
    const fields = await refusal(withData(fits + 1), 400, "notification-too-large");
    expect(fields).toEqual([`notification: ${sentence}`]);

    const data = JSON.stringify(withData(fits + 1).data);
    const words = ["--title", "Olá", "--body", "", "--link", "https://site.example/"];
    const sent = await scene.server.run("send", ...words, "--message-data", data);
    expect(sent.status).toBe(1);
    // An empty body is a field, too.
    expect(sent.stderr).toMatch(/The notification takes 4004 bytes, 11 more than the 3993/);
  });
});

test("a TTL of 0 reaches everybody once, now or never: Windows is told so, and a 503 is the end", async () => {
  const { sink } = scene;
  const all = await arrived({ ttlSeconds: 0 });
  expect(all.counts).toEqual(everybody);
  expect(all.pushes.map(({ headers }) => headers["ttl"])).toEqual(["0", "0", "0", "0"]);
  const told = all.pushes.filter(({ headers }) => headers["x-wns-cache-policy"] === "no-cache");
  expect(told.map(({ endpoint }) => new URL(endpoint).origin)).toEqual([windows]);

  const busy = sink.misbehave({ origin: fcm, fault: { kind: "answer", status: 503 } });
  const some = await arrived({ ttlSeconds: 0 });
  expect(some.counts).toEqual({ ...everybody, accepted: 3, failed: 1 });
  expect(busy.hits()).toBe(1);
  sink.behave();
});

describe("collapse keys", () => {
  test("of every length from 1 to 32 arrive at every push service, as it takes them", async () => {
    scene.sink.reset();
    const keys = Array.from({ length: 32 }, (_, index) => "a-_Z".repeat(8).slice(0, index + 1));
    const ids = await Promise.all(keys.map((collapseKey) => scene.publish({ collapseKey })));
    for (const id of ids) expect((await scene.until(id, isDone)).counts).toEqual(everybody);

    const topics = (origin: string) =>
      scene.sink
        .kept()
        .filter(({ endpoint }) => endpoint.startsWith(origin))
        .map(({ headers }) => headers["topic"] ?? "");
    for (const origin of everyService) {
      expect(topics(origin)).toHaveLength(keys.length);
      // What the push service would take for the same would replace another one.
      expect(new Set(topics(origin)).size).toBe(keys.length);
      const unchanged = keys.filter((key) => origin !== apple || key.length % 4 !== 1);
      expect(topics(origin)).toEqual(expect.arrayContaining(unchanged));
    }
    expect(topics(apple).filter((topic) => topic.length % 4 === 1)).toEqual([]);
  });

  test.for(["x".repeat(33), "", "a b", "ação", "a/b"])("%o is refused", async (collapseKey) => {
    expect(await refusal({ ...hello, collapseKey }, 400, "body-invalid")).toEqual([
      "collapseKey: 1 to 32 of A-Z a-z 0-9 _ -",
    ]);
  });
});

test("fields that there are not are named, each where it stands", async () => {
  const action = { action: "a", title: "A", url: "https://site.example/" };
  const body = {
    target: { kind: "all", topic: "x" },
    notification: { title: "Olá", actions: [action], sound: "x" },
    ttl: 5,
    __proto__x: 1,
  };
  const fields = await refusal(body, 400, "body-invalid");
  expect(fields.toSorted()).toEqual([
    "__proto__x: there is no such field",
    "notification.actions.0.url: there is no such field; do you mean `link`?",
    "notification.sound: there is no such field",
    "target.topic: there is no such field",
    "ttl: there is no such field; do you mean `ttlSeconds`?",
  ]);
});

const badLinks = [
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "ftp://site.example/",
  "blob:https://site.example/1",
  "mailto:a@site.example",
  "//site.example/",
  "/\\site.example/",
  "site.example",
  "https://",
  "https:/site.example/",
  "https://ana:secret@site.example/",
  "",
];
test.for(["link", "icon", "image", "badge", "action"])(
  "%s takes http(s) addresses and paths alone",
  async (field) => {
    const of = (link: string) =>
      field === "action" ? { actions: [{ action: "a", title: "A", link }] } : { [field]: link };
    const path = field === "action" ? "notification.actions.0.link" : `notification.${field}`;
    for (const link of badLinks) {
      expect([link, await refusal(withNotification(of(link)), 400, "body-invalid")]).toEqual([
        link,
        [`${path}: ${linkExpected}`],
      ]);
    }
    for (const link of ["https://site.example/a?b#c", "http://site.example", "/a"]) {
      const answer = await post(scene, "messages", {
        ...withNotification(of(link)),
        dryRun: true,
      });
      expect([link, answer.status]).toEqual([link, 200]);
    }
  },
);

describe("when", () => {
  const day = 24 * 60 * 60_000;
  const at = (aheadMs: number) => new Date(Date.now() + aheadMs).toISOString();

  test("is over, is too far, is both kinds, or is no time at all", async () => {
    const past = await refusal({ ...hello, scheduleAt: at(-day) }, 400, "schedule-in-past");
    expect(past).toEqual([expect.stringMatching(/^scheduleAt: now it is \d{4}-/)]);
    const far = await refusal({ ...hello, scheduleAt: at(367 * day) }, 400, "schedule-too-far");
    expect(far).toEqual([expect.stringMatching(/^scheduleAt: now it is \d{4}-/)]);
    const local = (aheadMs: number) => at(aheadMs).slice(0, 19);
    // Over in UTC, and still to come farther west.
    expect(
      (await post(scene, "messages", { ...hello, scheduleAtLocal: local(-day / 4), dryRun: true }))
        .status,
    ).toBe(200);
    const over = { ...hello, scheduleAtLocal: local(-day) };
    expect(await refusal(over, 400, "schedule-in-past")).toEqual([
      expect.stringMatching(/^scheduleAtLocal: /),
    ]);
    await refusal({ ...hello, scheduleAtLocal: local(368 * day) }, 400, "schedule-too-far");
    const both = { ...hello, scheduleAt: at(day), scheduleAtLocal: local(day) };
    expect(await refusal(both, 400, "body-invalid")).toEqual([
      "scheduleAtLocal: either scheduleAt or scheduleAtLocal",
    ]);
    for (const scheduleAt of ["tomorrow", "2026-02-30T09:00Z", "2026-12-01T09:00", 5]) {
      const fields = await refusal({ ...hello, scheduleAt }, 400, "body-invalid");
      expect(fields).toEqual([expect.stringMatching(/^scheduleAt: a moment with its time zone/)]);
    }
    for (const scheduleAtLocal of ["2026-12-01T09:00Z", "2026-13-01T09:00", "09:00"]) {
      const fields = await refusal({ ...hello, scheduleAtLocal }, 400, "body-invalid");
      expect(fields[0]).toMatch(/^scheduleAtLocal: a date and time without time zone/);
    }
  });
});

test("a condition with bad syntax is refused with the position, over HTTP and on the command line", async () => {
  const cases = {
    "'a' in topics &&": [17, "a topic in quotes, ! or ("],
    "'a' on topics": [5, "in topics"],
    "('a' in topics": [15, ")"],
    "'a' in topics || 'b' in topics && 'c' in topics": [32, "parentheses"],
    "'a b' in topics": [1, "a topic of 1 to 64"],
    [`${"(".repeat(400)}'a' in topics${")".repeat(400)}`]: [52, "at most 50 levels"],
  };
  for (const [condition, [position, expected]] of Object.entries(cases)) {
    const target = { kind: "condition", condition };
    const [field] = await refusal({ ...hello, target }, 400, "condition-invalid");
    expect(field).toContain(`target.condition: position ${position}: expected ${expected}`);
  }
  const words = ["--title", "x", "--body", "x", "--condition", "'a' on topics"];
  const sent = await scene.server.run("send", ...words);
  expect(sent.status).toBe(1);
  expect(sent.stderr).toContain("position 5: expected in topics");
});

describe("bodies that are no messages", () => {
  test("what is no JSON, or not in UTF-8, or of another type", async () => {
    for (const body of ["", "{", "[1,]", '{"target":{"kind":"all"}}}', "\u0000"]) {
      await refusal(body, 400, "json-malformed");
    }
    const json = Buffer.from(JSON.stringify(hello).replace("Olá", "Ol?"));
    json.write("\xe1", json.indexOf("?"), "latin1");
    const latin1 = await scene.ask("messages", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: json,
    });
    expect(await problemOf(latin1)).toMatchObject({ status: 400, code: "json-malformed" });
    for (const body of ["null", "[]", '"x"', "5"]) await refusal(body, 400, "body-invalid");
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      const answer = await post(scene, "messages", hello, { "Content-Type": type });
      expect(await problemOf(answer)).toMatchObject({
        status: 415,
        code: "content-type-unsupported",
      });
    }
  });

  test("JSON that is a hundred thousand levels deep", async () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const deep = (field: string, levels: number) =>
      JSON.stringify({ ...hello, [field]: 0 }).replace(
        `"${field}":0`,
        `"${field}":${nested(levels)}`,
      );
    await refusal("[".repeat(100_000), 400, "json-malformed");
    await refusal(nested(100_000), 413, "body-too-large");
    await refusal(nested(60_000), 400, "body-invalid");
    const objects = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const data = JSON.stringify({ ...hello, data: 0 }).replace('"data":0', `"data":${objects}`);
    expect(await refusal(data, 400, "body-invalid")).toEqual(["data: nests deeper than 8 levels"]);
    for (const field of ["target", "notification", "ttlSeconds", "unknown"]) {
      expect((await refusal(deep(field, 60_000), 400, "body-invalid"))[0]).toContain(field);
    }
    const words = ["--title", "x", "--body", "x", "--message-data", objects];
    const sent = await scene.server.run("send", ...words);
    expect(sent).toMatchObject({ status: 1, stderr: expect.stringContaining("8 levels") });
  });

  /** Sends so many bytes without end, or as long as it is, and gives the answer. */
  async function sendBytes(bytes: number, headers: Record<string, string>): Promise<unknown> {
    const sending = openRequest(new URL("/v1/projects/default/messages", scene.server.url), {
      method: "POST",
      headers: {
        Authorization: `Bearer ${scene.apiKey}`,
        "Content-Type": "application/json",
        ...headers,
      },
    });
    const chunk = Buffer.alloc(64 * 1024, "[");
    // Whoever goes on after the answer may lose the connection, which is no news by then.
    sending.on("error", () => undefined);
    const answered = once(sending, "response");
    for (let left = bytes; left > 0; left -= chunk.length) sending.write(chunk);
    sending.end();
    const [response] = await answered;
    let text = "";
    for await (const part of response) text += part;
    sending.destroy();
    return JSON.parse(text);
  }

  test("10 MB, announced or in chunks without a length, many at once: 413, and the server stays small", async () => {
    const bytes = 10 * 1024 * 1024;
    const residentMb = async () => {
      const text = await (await fetch(new URL("/metrics", scene.server.url))).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1024 / 1024;
    };
    const tooLarge = { status: 413, code: "body-too-large" };
    const announced = { "Content-Length": String(bytes) };
    expect(await sendBytes(bytes, announced)).toMatchObject(tooLarge);
    expect(await sendBytes(bytes, {})).toMatchObject(tooLarge);
    const before = await residentMb();
    const many = Array.from({ length: scaled(20, 100) }, () => sendBytes(bytes, {}));
    for (const answer of await Promise.all(many)) expect(answer).toMatchObject(tooLarge);
    // Kept, they would be 200 MB.
    expect(await residentMb()).toBeLessThan(before + 80);
  });
});

test("an API key that is missing, wrong, of another form, or revoked", async () => {
  const { server } = scene;
  const list = new URL("/v1/projects/default/messages", server.url);
  const answerTo = async (authorization?: string): Promise<string> => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const answer = await fetch(list, { headers });
    return answer.status === 200 ? "let in" : (await problemOf(answer)).code;
  };
  const made = await server.run("api-keys", "create", "short-lived");
  const key = made.stdout.trim();
  const prefix = /revoke (\S+) ends it/.exec(made.stderr)?.[1] ?? "";
  expect(await answerTo(`Bearer ${key}`)).toBe("let in");
  expect(await answerTo()).toBe("api-key-missing");
  for (const other of ["", "Bearer", `Basic ${key}`, key]) {
    expect([other, await answerTo(other)]).toEqual([other, "api-key-missing"]);
  }
  for (const other of ["x", `${key}x`, key.slice(0, -1), prefix, key.toUpperCase()]) {
    expect([other, await answerTo(`Bearer ${other}`)]).toEqual([other, "api-key-invalid"]);
  }
  const revoked = await server.run("api-keys", "revoke", prefix, "--yes");
  expect(revoked.status).toBe(0);
  expect(await answerTo(`Bearer ${key}`)).toBe("api-key-invalid");
});

describe("Idempotency-Key", () => {
  const publish = (key: string, body: unknown = hello) =>
    post(scene, "messages", body, { [idempotencyKeyHeader]: key });
  const idOf = async (answer: Response) => publishedSchema.parse(await answer.json()).id;
  /** Ids of the messages with this title. */
  async function titled(title: string): Promise<string[]> {
    const answer = await scene.ask("messages?limit=100");
    const { messages } = messageListSchema.parse(await answer.json());
    return messages.filter((message) => message.title === title).map(({ id }) => id);
  }
  const toOne = (title: string, over: Partial<MessageRequest> = {}): MessageRequest => ({
    target: { kind: "token", token: scene.registered[0]?.token ?? "" },
    notification: { title },
    ...over,
  });

  test("names a message: repeated it is the same one, and another body is refused", async () => {
    scene.sink.reset();
    const first = await publish("order-1", toOne("order"));
    expect(first.status).toBe(202);
    const id = await idOf(first);
    const again = await publish("order-1", toOne("order"));
    expect([again.status, await idOf(again)]).toEqual([200, id]);
    const other = await publish("order-1", toOne("other"));
    expect(await problemOf(other)).toMatchObject({ status: 409, code: "idempotency-key-reused" });
    await scene.until(id, isDone);
    const ended = await publish("order-1", toOne("order"));
    expect([ended.status, await idOf(ended)]).toEqual([200, id]);
    expect(await titled("order")).toEqual([id]);
    expect(scene.sink.counts().accepted).toBe(1);
    for (const key of ["", "a b", "é".repeat(3), "x".repeat(256)]) {
      const refused = await publish(key, toOne("order"));
      expect([key, await problemOf(refused)]).toMatchObject([
        key,
        { status: 400, code: "idempotency-key-malformed" },
      ]);
    }
  });

  test("twenty times at once over as many connections is one message", async () => {
    scene.sink.reset();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => publish("at-once", toOne("at-once"))),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    const ids = new Set(await Promise.all(answers.map(idOf)));
    expect(await titled("at-once")).toEqual([...ids]);
    await scene.until([...ids][0] ?? "", isDone);
    expect(scene.sink.counts().accepted).toBe(1);
  });

  test("holds across kill -9: what was answered, and what was not, is there once and is sent once, at its time", async () => {
    const { server, sink } = scene;
    for (let round = 0; round < scaled(1, 20); round += 1) {
      sink.reset();
      // None is on its way when the server is killed.
      const dueMs = Date.now() + 6_000;
      const message = (title: string) =>
        toOne(`${title}-${round}`, { scheduleAt: new Date(dueMs).toISOString() });
      const send = (title: string) => publish(`${title}-${round}`, message(title));
      const firstPushMs = sink.until(({ requests }) => requests > 0).then(() => Date.now());
      const answered = await idOf(await send("answered"));
      const underWay = send("under-way").catch(() => undefined);
      await server.kill();
      await underWay;
      await server.start();

      const again = await send("answered");
      expect([again.status, await idOf(again)]).toEqual([200, answered]);
      const other = await idOf(await send("under-way"));
      expect(await titled(`answered-${round}`)).toEqual([answered]);
      expect(await titled(`under-way-${round}`)).toEqual([other]);
      expect(await firstPushMs).toBeGreaterThanOrEqual(dueMs);
      for (const id of [answered, other]) {
        expect((await scene.until(id, isDone)).counts.accepted).toBe(1);
      }
      expect(sink.counts().requests).toBe(2);
    }
  });
});

describe("cancelling", () => {
  const registrations = scaled(4_000, 20_000);
  const loaded = preloads();
  let big: Scene;
  beforeAll(async () => {
    big = await setScene(endpointsAt([fcm], registrations), {
      keep: 1_000,
      environment: loaded.environment,
    });
  });
  afterAll(async () => {
    await big.close();
    loaded.remove();
  });

  const cancel = (id: string) => post(big, `messages/${id}/cancel`);
  async function expectCancelled(id: string): Promise<void> {
    const answer = await cancel(id);
    expect(await answer.json()).toMatchObject({ id, state: "cancelled" });
    expect(answer.status).toBe(200);
    const twice = await cancel(id);
    expect(await problemOf(twice)).toMatchObject({ status: 409, code: "message-ended" });
  }
  const toFirst = (collapseKey: string, scheduleAt?: string): Partial<MessageRequest> => ({
    target: { kind: "token", token: big.registered[0]?.token ?? "" },
    collapseKey,
    ...(scheduleAt === undefined ? {} : { scheduleAt }),
  });
  const topics = () => big.sink.kept().map(({ headers }) => headers["topic"]);

  test("what is scheduled: nobody gets it when its time comes", async () => {
    const { server } = big;
    const inAnHour = new Date(Date.now() + 60 * 60_000).toISOString();
    const byHttp = await big.publish(toFirst("cancelled", inAnHour));
    const byCommand = await big.publish(toFirst("cancelled", inAnHour));
    const next = await big.publish(toFirst("next", inAnHour));
    await expectCancelled(byHttp);
    const run = await server.run("messages", "cancel", byCommand, "--yes");
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining("(cancelled)") });
    const twice = await server.run("messages", "cancel", byCommand, "--yes");
    expect(twice).toMatchObject({ status: 1, stderr: expect.stringContaining("ended already") });

    expect(big.sink.counts().requests).toBe(0);
    loaded.shiftClock(61 * 60_000);
    await big.until(next, isDone);
    expect(topics()).toEqual(["next"]);
    for (const id of [byHttp, byCommand]) {
      const { state, counts, unsent } = await big.status(id);
      expect({ state, accepted: counts.accepted, unsent }).toEqual({
        state: "cancelled",
        accepted: 0,
        unsent: 0,
      });
    }
    expect((await cancel("no-such-message")).status).toBe(404);
  });

  test("what is being sent: only the pages that are under way go on, and the counts stay true", async () => {
    const { sink } = big;
    sink.reset();
    // Some are to be tried again when the end comes.
    const busy = { status: 503, headers: { "retry-after": "600" } };
    sink.misbehave({ share: 0.02, fault: { kind: "answer", ...busy } });
    const id = await big.publish({ collapseKey: "cancelled" });
    await sink.until(({ requests }) => requests >= 300);
    await expectCancelled(id);
    const { requests } = sink.counts();
    const written = async () => {
      const { counts, audience, unsent } = await big.status(id);
      const { accepted, statuses } = sink.counts();
      expect({ ...counts, unsent }).toEqual({
        accepted,
        gone: 0,
        retry: 0,
        rejected: 0,
        failed: statuses["503"] ?? 0,
        unsent: audience.registrations - sink.counts().requests,
      });
    };
    await vi.waitFor(written, { timeout: 30_000, interval: 50 });
    // Two pages of 500.
    expect(sink.counts().requests - requests).toBeLessThanOrEqual(1_000);
    expect((await big.status(id)).unsent).toBeGreaterThan(0);

    // Whoever comes next has the push service for themselves, and what was to be tried again is not.
    sink.behave();
    sink.reset();
    loaded.shiftClock(2 * 60 * 60_000);
    await big.until(await big.publish(toFirst("next")), isDone);
    expect(topics()).toEqual(["next"]);
  });

  test("what is paused: nobody gets it when the push service takes messages again", async () => {
    const { sink, server } = big;
    sink.reset();
    sink.misbehave({ fault: { kind: "refuse-vapid" } });
    const id = await big.publish({ collapseKey: "cancelled" });
    await big.until(id, ({ state }) => state === "paused");
    await expectCancelled(id);
    sink.behave();
    // Probes come at once.
    await server.kill();
    await server.start();
    const next = await big.publish(toFirst("next"));
    expect((await big.until(next, isDone)).counts.accepted).toBe(1);
    expect(topics()).toEqual(["next"]);
    const { counts, unsent, audience } = await big.status(id);
    expect(counts).toMatchObject({ accepted: 0, gone: 0, retry: 0, rejected: 0 });
    expect(counts.failed + unsent).toBe(audience.registrations);
  });
});
