import { randomUUID } from "node:crypto";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { LabEvent } from "../events.ts";
import { type PushLab, startPushLab } from "../lab.ts";
import { sendOverHttp2, signedPush, vapidKeys } from "../test/application-server.ts";
import { connectFirefox, type FirefoxConnection, openWebSocket } from "../test/firefox-client.ts";
import { leave } from "../test/leave.ts";

let lab: PushLab;
let events: LabEvent[];
let fox: FirefoxConnection;

beforeEach(async () => {
  lab = await startPushLab();
  events = [];
  lab.onEvent((event) => events.push(event));
  fox = await connectFirefox(lab);
});
afterEach(() => lab.close());

const subscribe = async (firefox = fox, channelID?: string, key?: string): Promise<string> =>
  (await firefox.register(channelID, key)).pushEndpoint ?? "";

/** Sends a push and returns its id. */
const push = async (endpoint: string, body: Uint8Array = Buffer.from("sealed")) => {
  const { status, headers } = await sendOverHttp2(lab, signedPush({ endpoint, body }));
  expect(status).toBe(201);
  return (headers["location"] ?? "").split("/").at(-1) ?? "";
};
const pushed = (id: string) => lab.pushes().find((known) => known.id === id);
const until = (id: string, delivery: string) =>
  lab.until(() => pushed(id)?.delivery === delivery && pushed(id));
const types = () => events.map(({ type }) => type);
const reasons = () =>
  events.flatMap((event) => (event.type === "disconnected" ? [event.reason] : []));
const left = () => lab.until(() => reasons().length > 0);

describe("hello", () => {
  test("gives a new browser its uaid", async () => {
    const owl = await connectFirefox(lab);
    expect(owl.uaid).toMatch(/^[0-9a-f]{32}$/);
    expect(owl.uaid).not.toBe(fox.uaid);
    expect(types()).toEqual(["checked-in", "connected", "checked-in", "connected"]);
  });

  test("leaves a known browser its own", async () => {
    await leave(lab, fox.uaid, fox.leave);
    expect((await connectFirefox(lab, fox.uaid)).uaid).toBe(fox.uaid);
    expect(types()).toEqual(["checked-in", "connected", "disconnected", "connected"]);
  });

  test("gives one that is not known here a new one", async () => {
    const stranger = await connectFirefox(lab, "f".repeat(32));
    expect(stranger.uaid).not.toBe("f".repeat(32));
  });
});

describe("a subscription", () => {
  test("is bound to the key it was made with", async () => {
    const reply = await fox.register();
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.pushEndpoint).toMatch(
      /^https:\/\/updates\.push\.services\.mozilla\.com\/wpush\/v2\/gAAAAA[\w-]{177}$/,
    );
    expect(lab.subscriptions()).toEqual([
      {
        endpoint: reply.pushEndpoint,
        browser: fox.uaid,
        origin: "",
        applicationServerKey: vapidKeys.publicKey,
        createdAtMs: expect.any(Number),
      },
    ]);
  });

  test("without a key takes pushes without credentials", async () => {
    const endpoint = await subscribe(fox, randomUUID(), "");
    expect(endpoint).toMatch(/\/wpush\/v1\/gAAAAA[\w-]{134}$/);
    const { authorization: _none, ...headers } = signedPush({ endpoint }).headers;
    const answer = await sendOverHttp2(lab, { ...signedPush({ endpoint }), headers });
    expect(answer.status).toBe(201);
    await push(endpoint);
  });

  test("with a key that is none is refused", async () => {
    expect(await fox.register(randomUUID(), "AAAA")).toMatchObject({ status: 400 });
    expect(lab.subscriptions()).toEqual([]);
    expect(events.at(-1)).toEqual({
      type: "registration-refused",
      browser: fox.uaid,
      error: "status 400",
    });
  });

  test("asked for again on its channel is the same", async () => {
    const channelID = randomUUID();
    expect(await subscribe(fox, channelID)).toBe(await subscribe(fox, channelID));
    expect(await subscribe(fox)).not.toBe(await subscribe(fox, channelID));
    expect(lab.subscriptions()).toHaveLength(2);
  });

  test("is ended by its own browser and channel only", async () => {
    const channelID = randomUUID();
    await subscribe(fox, channelID);
    const owl = await connectFirefox(lab);
    expect(await owl.unregister(channelID)).toMatchObject({ channelID, status: 200 });
    await fox.unregister(randomUUID());
    expect(lab.subscriptions()[0]?.ended).toBeUndefined();
    await fox.unregister(channelID);
    expect(lab.subscriptions()[0]?.ended?.status).toBe(410);
    expect(types().at(-1)).toBe("ended");
  });
});

describe("a push", () => {
  test("comes with everything Firefox needs to find its page and open it", async () => {
    const channelID = randomUUID();
    const body = Buffer.from([0xfb, 0xff, 0, 1]);
    const id = await push(await subscribe(fox, channelID), body);
    expect(await fox.nextNotification()).toEqual({
      messageType: "notification",
      channelID,
      version: id,
      ttl: 60,
      data: "-_8AAQ",
      headers: { encoding: "aes128gcm" },
    });
  });

  test("without a body has neither headers nor data", async () => {
    await push(await subscribe(), new Uint8Array(0));
    expect(Object.keys(await fox.nextNotification())).toEqual([
      "messageType",
      "channelID",
      "version",
      "ttl",
    ]);
  });

  test("says how long it is good for when it is sent, not when it came", async () => {
    let nowMs = Date.now();
    const slow = await startPushLab({ now: () => nowMs });
    try {
      const owl = await connectFirefox(slow);
      const { pushEndpoint = "" } = await owl.register();
      await leave(slow, owl.uaid, owl.leave);
      await sendOverHttp2(slow, signedPush({ endpoint: pushEndpoint, ttl: "60" }));
      nowMs += 45_500;
      const back = await connectFirefox(slow, owl.uaid);
      expect((await back.nextNotification()).ttl).toBe(15);
    } finally {
      await slow.close();
    }
  });
});

describe("what Firefox says of a message:", () => {
  test.each([
    [101, { delivery: "undelivered", undeliveredCode: 101, acknowledged: false }],
    [102, { delivery: "undelivered", undeliveredCode: 102, acknowledged: false }],
  ])("%i, not delivered, is seen, and it is not sent again", async (code, expected) => {
    const endpoint = await subscribe();
    const id = await push(endpoint);
    fox.acknowledge(await fox.nextNotification(), code);
    expect(await until(id, "undelivered")).toMatchObject(expected);
    await leave(lab, fox.uaid, fox.leave);
    const back = await connectFirefox(lab, fox.uaid);
    const next = await push(endpoint);
    expect((await back.nextNotification()).version).toBe(next);
  });

  test("a nack after the ack is seen", async () => {
    const id = await push(await subscribe());
    const { channelID, version } = await fox.nextNotification();
    fox.acknowledge({ channelID, version });
    await until(id, "acknowledged");
    fox.sendJson({ messageType: "nack", version, code: 302 });
    expect(await until(id, "undelivered")).toMatchObject({
      undeliveredCode: 302,
      acknowledged: true,
    });
  });

  test("102 to one that is sent again: it has it from before", async () => {
    const id = await push(await subscribe());
    await fox.nextNotification();
    await leave(lab, fox.uaid, fox.leave);
    const back = await connectFirefox(lab, fox.uaid);
    back.acknowledge(await back.nextNotification(), 102);
    expect(await until(id, "acknowledged")).not.toHaveProperty("undeliveredCode");
  });

  test("101 to one that is sent again: it cannot open it", async () => {
    const id = await push(await subscribe());
    await fox.nextNotification();
    await leave(lab, fox.uaid, fox.leave);
    const back = await connectFirefox(lab, fox.uaid);
    back.acknowledge(await back.nextNotification(), 101);
    expect(await until(id, "undelivered")).toMatchObject({ undeliveredCode: 101 });
  });

  test("nothing counts from another browser", async () => {
    const id = await push(await subscribe());
    const notification = await fox.nextNotification();
    const owl = await connectFirefox(lab);
    owl.acknowledge(notification);
    owl.sendJson({ messageType: "nack", version: id, code: 302 });
    owl.sendJson({});
    await owl.next();
    expect(pushed(id)?.delivery).toBe("sent");
  });
});

test("a ping is answered, and Mozilla's news are asked for in vain", async () => {
  fox.sendJson({ messageType: "broadcast_subscribe", broadcasts: { "remote-settings": "0" } });
  fox.sendJson({});
  expect(await fox.next()).toEqual({});
  fox.sendJson({ messageType: "ping" });
  expect(await fox.next()).toEqual({});
});

test("a second connection of the same browser ends the first and takes over", async () => {
  const endpoint = await subscribe();
  const id = await push(endpoint);
  await fox.nextNotification();
  const second = await connectFirefox(lab, fox.uaid);
  await fox.closed;
  await left();
  expect(reasons()).toEqual(["the browser has a newer connection"]);
  expect((await second.nextNotification()).version).toBe(id);
  const next = await push(endpoint);
  expect((await second.nextNotification()).version).toBe(next);
});

describe("registrations", () => {
  test("fail as they were told, until they recover", async () => {
    lab.firefox.failRegistrations(503);
    const reply = await fox.register();
    expect(reply).toMatchObject({ status: 503 });
    expect(reply).not.toHaveProperty("pushEndpoint");
    lab.firefox.recover();
    expect(await fox.register()).toMatchObject({ status: 200 });
  });

  test("are kept waiting, until they recover", async () => {
    lab.firefox.hangRegistrations();
    const channelID = randomUUID();
    fox.askToRegister(channelID);
    fox.sendJson({});
    expect(await fox.next()).toEqual({});
    expect(events.at(-1)).toEqual({ type: "registration-held", browser: fox.uaid });
    expect(lab.subscriptions()).toEqual([]);
    lab.firefox.recover();
    expect(await fox.next()).toMatchObject({ messageType: "register", channelID, status: 200 });
  });

  test("that were given up meanwhile are not made later", async () => {
    lab.firefox.hangRegistrations();
    fox.askToRegister(randomUUID());
    await lab.until(() => types().includes("registration-held"));
    await fox.leave();
    await lab.until(() => types().includes("registration-abandoned"));
    lab.firefox.recover();
    expect(lab.subscriptions()).toEqual([]);
  });
});

describe("the lab", () => {
  test("cuts every connection, and what was not acknowledged comes again", async () => {
    const id = await push(await subscribe());
    await fox.nextNotification();
    lab.firefox.disconnect();
    await fox.closed;
    await left();
    const back = await connectFirefox(lab, fox.uaid);
    expect(back.uaid).toBe(fox.uaid);
    expect((await back.nextNotification()).version).toBe(id);
  });

  test("forgets its browsers: their subscriptions end, and they are new when they come back", async () => {
    const endpoint = await subscribe();
    const id = await push(endpoint);
    lab.firefox.forgetBrowsers();
    await fox.closed;
    expect(pushed(id)?.delivery).toBe("dropped");
    expect((await sendOverHttp2(lab, signedPush({ endpoint }))).status).toBe(410);
    const back = await connectFirefox(lab, fox.uaid);
    expect(back.uaid).not.toBe(fox.uaid);
    await push(await subscribe(back));
    expect(await back.nextNotification()).toMatchObject({ messageType: "notification" });
  });
});

describe("what is malformed ends its own connection and no other", () => {
  test.each<[string, string | Uint8Array]>([
    ["no JSON", "hello"],
    ["no object", "[]"],
    ["something before hello", `{"messageType":"register","channelID":"${randomUUID()}"}`],
    ["a type nobody knows", '{"messageType":"purge"}'],
    ["no type", '{"uaid":"a"}'],
    ["a uaid that is no text", '{"messageType":"hello","uaid":1}'],
    ["bytes", Uint8Array.of(123, 125)],
    ["too much", `{"messageType":"hello","uaid":"${"a".repeat(70_000)}"}`],
  ])("%s", async (_case, message) => {
    const endpoint = await subscribe();
    const stranger = await openWebSocket(lab);
    stranger.socket.send(message);
    await stranger.closed;
    await lab.until(() => types().includes("connection-refused"));
    await push(endpoint);
    expect(await fox.nextNotification()).toMatchObject({ messageType: "notification" });
  });

  test.each<[string, object]>([
    ["a second hello", { messageType: "hello" }],
    ["a channel that is no UUID", { messageType: "register", channelID: "1" }],
    ["an ack of nothing", { messageType: "ack" }],
    ["an ack without a version", { messageType: "ack", updates: [{ code: 100 }] }],
    ["a code that is no number", { messageType: "nack", version: "1", code: "302" }],
  ])("%s, after hello", async (_case, message) => {
    fox.sendJson(message);
    await fox.closed;
    await left();
    expect(reasons()).toEqual([expect.stringMatching(/^malformed: /)]);
  });
});
