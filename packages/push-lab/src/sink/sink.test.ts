import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { promisify } from "node:util";

import { afterEach, describe, expect, test } from "vitest";
import webpush from "web-push";

import { listen } from "../listening.ts";
import { type OutgoingPush, signedPush, vapidKeys } from "../test/application-server.ts";
import { openHttp1, openHttp2 } from "../test/watching-client.ts";
import { type Sink, type SinkOptions, startSink } from "./sink.ts";

const origins = [
  "https://fcm.googleapis.com",
  "https://updates.push.services.mozilla.com",
  "https://web.push.apple.com",
  "https://wns2-par02p.notify.windows.com",
] as const;
const [fcm, mozilla, apple, windows] = origins;

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

const start = async (options: Partial<SinkOptions> = {}): Promise<Sink> => {
  const sink = await startSink({ origins, ...options });
  cleanUp.push(sink.close);
  return sink;
};
const send = async (sink: Sink, push: OutgoingPush, open = openHttp2) => {
  const { origin } = new URL(push.endpoint);
  const port = sink.places.find((place) => place.origin === origin)?.port ?? sink.port;
  const client = open({ origin, port, caPath: sink.caPath });
  cleanUp.push(client.close);
  return await client.send(push).over;
};
const sendTo = async (sink: Sink, origin: string, name: string, changes = {}) =>
  await send(sink, signedPush({ endpoint: sink.subscription(origin, name).endpoint, ...changes }));
const withHeaders = (push: OutgoingPush, headers: Record<string, string>): OutgoingPush => ({
  ...push,
  headers: { ...push.headers, ...headers },
});

describe.each([
  ["HTTP/2", openHttp2],
  ["HTTP/1.1", openHttp1],
])("over %s", (_protocol, open) => {
  test("every origin takes pushes on one port, and gives each message a place", async () => {
    const sink = await start();
    expect(new Set(sink.places.map(({ port }) => port))).toEqual(new Set([sink.port]));
    const places = new Set();
    for (const origin of origins)
      for (const name of ["a", "b"]) {
        const push = signedPush({ endpoint: sink.subscription(origin, name).endpoint });
        const { status, headers } = await send(sink, push, open);
        expect(status).toBe(201);
        expect(headers["location"]).toMatch(new RegExp(`^${origin}/`));
        places.add(headers["location"]);
      }
    expect(places.size).toBe(8);
  });
});

test("each origin can have a port of its own", async () => {
  const sink = await start({ portPerOrigin: true });
  expect(new Set(sink.places.map(({ port }) => port)).size).toBe(4);
  expect((await sendTo(sink, apple, "a")).status).toBe(201);
  expect(sink.serverEnvironment["SINETA_PUSH_ROUTES"]).toBe(
    sink.places.map(({ origin, port }) => `${new URL(origin).host}=127.0.0.1:${port}`).join(","),
  );
});

test("it is found by a server in its environment, which allows what no vendor has", async () => {
  const sink = await start({ origins: [fcm, "https://push.example:8443"] });
  expect(sink.serverEnvironment).toMatchObject({ SINETA_PUSH_HOSTS: "push.example:8443" });
  const script = `
    for (const route of process.env.SINETA_PUSH_ROUTES.split(",")) {
      const [authority, address] = route.split("=");
      const [host, port] = address.split(":");
      const servername = authority.split(":")[0];
      const session = require("node:http2").connect("https://" + authority, { host, port, servername });
      session.request({ ":path": "/" }).once("response", (headers) => {
        console.log(headers[":status"]);
        session.destroy();
      });
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
    env: sink.serverEnvironment,
  });
  expect(stdout).toBe("405\n405\n");
});

test("HTTP/1.1 alone is offered where that is asked for", async () => {
  const sink = await start({ http1Only: true });
  const push = signedPush({ endpoint: `${fcm}/a` });
  expect((await send(sink, push, openHttp1)).status).toBe(201);
  expect(await send(sink, push)).toMatchObject({ status: undefined, isOver: true });
});

test("a connection may have as many streams open as it was told", async () => {
  const sink = await start({ maxConcurrentStreams: 7 });
  const client = openHttp2({ origin: fcm, port: sink.port, caPath: sink.caPath });
  cleanUp.push(client.close);
  await client.send(signedPush({ endpoint: `${fcm}/a` })).over;
  expect(client.allowedStreams).toEqual([7]);
});

describe("what comes in is checked:", () => {
  const endpoint = `${fcm}/fcm/send/a`;
  const hour = 3600;
  const none = new Uint8Array(0);

  test.each<[string, () => OutgoingPush, number, Partial<SinkOptions>?]>([
    [
      "no credentials",
      () => ({ ...signedPush({ endpoint }), headers: { ttl: "60" }, body: none }),
      401,
    ],
    ["empty ones", () => withHeaders(signedPush({ endpoint }), { authorization: "" }), 401],
    [
      "a signature by another key",
      () => {
        const others = signedPush({ endpoint, keys: webpush.generateVAPIDKeys() });
        const token = /t=([^,]*)/.exec(others.headers["authorization"] ?? "")?.[1] ?? "";
        return withHeaders(others, { authorization: `vapid t=${token}, k=${vapidKeys.publicKey}` });
      },
      403,
    ],
    ["a token for another origin", () => signedPush({ endpoint, claims: { aud: apple } }), 403],
    ["a TTL that is none", () => signedPush({ endpoint, ttl: "soon" }), 400],
    [
      "an encoding",
      () => withHeaders(signedPush({ endpoint }), { "content-encoding": "gzip" }),
      400,
    ],
    ["too large a body", () => signedPush({ endpoint, body: new Uint8Array(4097) }), 413],
    ["another origin", () => signedPush({ endpoint: `${origins[1]}/a` }), 421, { origins: [fcm] }],
    [
      "another key than the sink's",
      () => signedPush({ endpoint }),
      403,
      { vapidKey: webpush.generateVAPIDKeys().publicKey },
    ],
  ])("%s", async (_what, push, status, options) => {
    const sink = await start(options);
    const place = { origin: fcm, port: sink.port, caPath: sink.caPath };
    const client = openHttp1(place);
    cleanUp.push(client.close);
    expect(await client.send(push()).over).toMatchObject({ status });
    expect(sink.counts().accepted).toBe(0);
  });

  test("nothing of it where that was switched off, but whose it is", async () => {
    const sink = await start({ check: "none", origins: [fcm] });
    const bare = { endpoint, headers: {}, body: new Uint8Array(9000) };
    expect((await send(sink, bare)).status).toBe(201);
    const client = openHttp1({ origin: fcm, port: sink.port, caPath: sink.caPath });
    cleanUp.push(client.close);
    expect((await client.send({ ...bare, endpoint: `${apple}/a` }).over).status).toBe(421);
  });

  test("a token that was good is judged by the clock each time", async () => {
    let nowMs = Date.now();
    const sink = await start({ now: () => nowMs });
    const exp = Math.floor(nowMs / 1000) + hour;
    const push = signedPush({ endpoint, claims: { exp } });
    expect((await send(sink, push)).status).toBe(201);
    nowMs += (hour - 10) * 1000;
    expect((await send(sink, push)).status).toBe(201);
    nowMs += 10_000;
    expect((await send(sink, push)).status).toBe(403);
    nowMs -= 48 * hour * 1000;
    expect((await send(sink, push)).status).toBe(403);
  });

  test("a token that was good for one origin is not for another", async () => {
    const sink = await start();
    const push = signedPush({ endpoint });
    expect((await send(sink, push)).status).toBe(201);
    expect((await send(sink, { ...push, endpoint: `${mozilla}/a` })).status).toBe(401);
  });

  test("Apple's topics and Windows' TTL of 0 as they are reported", async () => {
    const sink = await start();
    expect(await sendTo(sink, apple, "a", { topic: "abcde" })).toMatchObject({ status: 400 });
    expect(await sendTo(sink, apple, "a", { topic: "abcd" })).toMatchObject({ status: 201 });
    const now = signedPush({ endpoint: sink.subscription(windows, "a").endpoint, ttl: "0" });
    expect(await send(sink, now)).toMatchObject({
      status: 400,
      body: "",
      headers: { "x-wns-error-description": expect.stringMatching(/no-cache/) },
    });
    const noCache = withHeaders(now, { "x-wns-cache-policy": "no-cache" });
    expect(await send(sink, noCache)).toMatchObject({ status: 201 });
  });
});

test.each([
  [fcm, "key", 403, /./],
  [fcm, "token", 403, /./],
  [mozilla, "key", 401, /"errno":109/],
  [mozilla, "token", 401, /"errno":109/],
  [apple, "key", 400, /"reason":"VapidPkHashMismatch"/],
  [apple, "token", 403, /"reason":"BadJwtToken"/],
  [windows, "key", 401, /^$/],
  [windows, "token", 401, /^$/],
] as const)("%s refuses a VAPID %s in its own way", async (origin, because, status, body) => {
  const sink = await start();
  sink.misbehave({ origin, fault: { kind: "refuse-vapid", because } });
  expect(await sendTo(sink, origin, "a")).toMatchObject({
    status,
    body: expect.stringMatching(body),
  });
  const healthy = origins.find((one) => one !== origin) ?? "";
  expect((await sendTo(sink, healthy, "a")).status).toBe(201);
});

test("subscriptions have real keys, for which a sender can seal", async () => {
  const sink = await start({ keep: 1 });
  const { endpoint, keys } = sink.subscription(windows, "a b");
  expect(endpoint).toBe(`${windows}/w/?token=a%20b`);
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys }, "hello", {
    vapidDetails: { ...vapidKeys, subject: "mailto:sineta@example.com" },
    TTL: 60,
  });
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`]);
  const sealed = { endpoint, headers: Object.fromEntries(lowered), body: body ?? new Uint8Array() };
  expect((await send(sink, sealed)).status).toBe(201);
  expect(sink.kept()).toMatchObject([{ endpoint, body, headers: { ttl: "60" } }]);
  expect(() => sink.subscription("https://other.example", "a")).toThrow(/no origin of this sink/);
});

describe("counts", () => {
  const outcome = {
    requests: 0,
    accepted: 0,
    distinct: 0,
    duplicates: 0,
    repeated: {},
    statuses: {},
  };

  test("tell requests, pushes, places and repetitions, by origin", async () => {
    const sink = await start();
    for (const name of ["a", "b", "a", "a", "c", "c", "d"]) await sendTo(sink, fcm, name);
    await sendTo(sink, apple, "a");
    await sendTo(sink, apple, "b", { ttl: "soon" });
    const { connections, origins: byOrigin, ...sum } = sink.counts();
    expect(connections).toBeGreaterThan(0);
    expect(byOrigin).toEqual({
      [fcm]: {
        requests: 7,
        accepted: 7,
        distinct: 4,
        duplicates: 3,
        repeated: { "2": 1, "3": 1 },
        statuses: { "201": 7 },
      },
      [mozilla]: outcome,
      [apple]: {
        ...outcome,
        requests: 2,
        accepted: 1,
        distinct: 1,
        statuses: { "201": 1, "400": 1 },
      },
      [windows]: outcome,
    });
    expect(sum).toEqual({
      requests: 9,
      accepted: 8,
      distinct: 5,
      duplicates: 3,
      repeated: { "2": 1, "3": 1 },
      statuses: { "201": 8, "400": 1 },
    });
    expect([...sink.accepted(fcm)]).toEqual([
      ["/fcm/send/a", 3],
      ["/fcm/send/b", 1],
      ["/fcm/send/c", 2],
      ["/fcm/send/d", 1],
    ]);
    expect(() => sink.accepted("https://other.example")).toThrow(/no origin of this sink/);
  });

  test("are waited for, begin anew, and end with the sink", async () => {
    const sink = await start({ keep: 5 });
    const waiting = sink.until(({ distinct }) => distinct === 2);
    for (const name of ["a", "a", "b"]) await sendTo(sink, mozilla, name);
    expect(await waiting).toMatchObject({ requests: 3, distinct: 2 });
    sink.reset();
    expect(sink.counts()).toMatchObject(outcome);
    expect([sink.accepted(mozilla).size, sink.kept()]).toEqual([0, []]);
    const forNothing = sink.until(() => false);
    await Promise.all([
      expect(forNothing).rejects.toMatchObject({ code: "lab-closed" }),
      sink.close(),
    ]);
  });

  test("of what was left unanswered, or answered by halves", async () => {
    const sink = await start();
    sink.misbehave({
      script: [
        { kind: "hang-up" },
        { kind: "hang-up", taken: true },
        { kind: "reset", at: "answer" },
        { kind: "answer", status: 201 },
      ],
    });
    for (let sent = 0; sent < 4; sent += 1) await sendTo(sink, fcm, "a");
    expect(sink.counts()).toMatchObject({
      requests: 4,
      accepted: 2,
      statuses: { "0": 2, "201": 2 },
    });
  });

  test("only the latest pushes are kept, and none unless asked for", async () => {
    const sink = await start({ keep: 2 });
    for (const name of ["a", "b", "c"]) await sendTo(sink, mozilla, name);
    expect(sink.kept().map(({ endpoint }) => endpoint)).toEqual(
      ["b", "c"].map((name) => sink.subscription(mozilla, name).endpoint),
    );
    const keepsNone = await start();
    await sendTo(keepsNone, mozilla, "a");
    expect(keepsNone.kept()).toEqual([]);
  });
});

test("faults of one origin leave its neighbours alone, connections too", async () => {
  const sink = await start();
  const [ill, well] = [fcm, apple].map((origin) => {
    const client = openHttp2({ origin, port: sink.port, caPath: sink.caPath });
    cleanUp.push(client.close);
    return client;
  });
  const push = (origin: string) =>
    signedPush({ endpoint: sink.subscription(origin, "a").endpoint });
  await Promise.all([ill?.send(push(fcm)).over, well?.send(push(apple)).over]);
  sink.misbehave({ origin: fcm, fault: { kind: "refuse-connections" } });
  await ill?.gone;
  expect(await well?.send(push(apple)).over).toMatchObject({ status: 201 });
  expect(await send(sink, push(fcm))).toMatchObject({ status: undefined });
});

describe("a sink that cannot start says what to change, and leaves nothing behind", () => {
  test.each([
    ["http://push.example"],
    ["push.example"],
    ["https://push.example/path"],
    ["https://user@push.example"],
    ["https://push.example?"],
    ["https://a b"],
  ])("where an origin is %s", async (origin) => {
    await expect(startSink({ origins: [origin] })).rejects.toMatchObject({
      code: "invalid-origin",
      message: expect.stringContaining(`"${origin}"`),
    });
  });

  test("where there is none", async () => {
    await expect(startSink({ origins: [] })).rejects.toMatchObject({ code: "invalid-origin" });
  });

  test("where a port is taken", async () => {
    const taken = await listen(createServer(), 0, "test");
    cleanUp.push(taken.close);
    await expect(startSink({ origins, port: taken.port })).rejects.toMatchObject({
      code: "port-unavailable",
    });
    await expect(startSink({ origins, controlPort: taken.port })).rejects.toMatchObject({
      code: "port-unavailable",
    });
  });
});

test("the folder it made is gone after close, which may be repeated", async () => {
  const sink = await start();
  expect(existsSync(sink.caPath)).toBe(true);
  await Promise.all([sink.close(), sink.close()]);
  expect(existsSync(sink.caPath)).toBe(false);
});

test("chance comes from where it was told to", async () => {
  let asked = 0;
  const sink = await start({
    random: (bytes) => {
      asked += 1;
      return bytes === 4 ? new Uint8Array(bytes) : randomBytes(bytes);
    },
  });
  const before = asked;
  const rule = sink.misbehave({ fault: { kind: "answer", status: 500 }, share: 0.000_001 });
  expect((await sendTo(sink, fcm, "a")).status).toBe(500);
  expect([rule.hits(), asked - before]).toEqual([1, 1]);
});
