import { once } from "node:events";
import { connect } from "node:net";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type PushLab, startPushLab } from "../lab.ts";
import {
  type OutgoingPush,
  sendOverHttp2,
  signedPush,
  vapidKeys,
} from "../test/application-server.ts";
import {
  checkIn,
  connectBrowser,
  openConnection,
  register,
  subscribe,
  switchUrl,
} from "../test/chromium-client.ts";
import type { Credentials } from "./check-in.ts";
import { encodeFrame, mcsVersion } from "./frames.ts";
import { stanzaTags } from "./stanzas.ts";

let lab: PushLab;
let fox: Credentials;
let endpoint: string;

beforeEach(async () => {
  lab = await startPushLab();
  fox = await checkIn(lab);
  endpoint = await subscribe(lab, fox);
});
afterEach(() => lab.close());

/** Sends a push and returns its id. */
async function push(more: Partial<OutgoingPush> & { ttl?: string; topic?: string } = {}) {
  const { status, headers } = await sendOverHttp2(lab, signedPush({ endpoint, ...more }));
  expect(status).toBe(201);
  return (headers["location"] ?? "").split("/").at(-1) ?? "";
}

const deliveryOf = (id: string) => lab.pushes().find((known) => known.id === id)?.delivery;
const until = async (id: string, delivery: string) => {
  await lab.until(() => deliveryOf(id) === delivery);
};

describe("a browser that logs in", () => {
  test("is answered with its own login's id, as the first frame", async () => {
    const browser = await connectBrowser(lab, fox);
    expect(browser.login).toEqual({ id: "chrome-150.0", error: false, streamId: 1 });
  });

  test("with an identity from another lab is taken as it is", async () => {
    const stranger = { browser: "4711", securityToken: "42" };
    expect((await connectBrowser(lab, stranger)).login.error).toBe(false);
    expect(await subscribe(lab, stranger)).toMatch(/^https:/);
  });

  test("with somebody else's identity is refused", async () => {
    const thief = await connectBrowser(lab, { ...fox, securityToken: "1" });
    expect(thief.login.error).toBe(true);
    await thief.closed;
  });

  test("gets its pings answered", async () => {
    const browser = await connectBrowser(lab, fox);
    browser.ping();
    expect((await browser.nextFrame()).tag).toBe(stanzaTags.heartbeatAck);
  });
});

describe("a push", () => {
  test("arrives with everything Chromium needs to find its page and open it", async () => {
    const browser = await connectBrowser(lab, fox);
    const id = await push({ body: Buffer.from("sealed"), ttl: "30" });
    expect(await browser.nextMessage()).toEqual({
      id,
      persistentId: id,
      from: vapidKeys.publicKey,
      category: "org.chromium.linux",
      appData: {
        subtype: expect.stringMatching(/^wp:https:\/\/shop\.example\/#/),
        "content-encoding": "aes128gcm",
      },
      streamId: 2,
      ttlSeconds: 30,
      immediateAck: true,
      body: new Uint8Array(Buffer.from("sealed")),
    });
  });

  test("without a body has neither an encoding nor data", async () => {
    const browser = await connectBrowser(lab, fox);
    await push({ body: new Uint8Array(0) });
    const { appData, body } = await browser.nextMessage();
    expect(Object.keys(appData)).toEqual(["subtype"]);
    expect(body).toBeUndefined();
  });

  test("that came while the browser was away waits for it", async () => {
    const id = await push();
    expect(deliveryOf(id)).toBe("queued");
    const browser = await connectBrowser(lab, fox);
    expect((await browser.nextMessage()).id).toBe(id);
  });

  test("goes to its own browser only", async () => {
    const owl = await checkIn(lab);
    const foxConnection = await connectBrowser(lab, fox);
    const owlConnection = await connectBrowser(lab, owl);
    const owlEndpoint = await subscribe(lab, owl);
    const forOwl = await push({ endpoint: owlEndpoint });
    const forFox = await push();
    expect((await owlConnection.nextMessage()).id).toBe(forOwl);
    expect((await foxConnection.nextMessage()).id).toBe(forFox);
  });
});

test("what waits for a subscription is dropped when its browser unsubscribes", async () => {
  const id = await push();
  await register(lab, fox, { delete: true });
  expect(deliveryOf(id)).toBe("dropped");
});

describe("acknowledgement", () => {
  test("by a frame's number covers what came up to there, heartbeats counted", async () => {
    const browser = await connectBrowser(lab, fox);
    browser.ping();
    await browser.nextFrame();
    const first = await push();
    const second = await push();
    expect((await browser.nextMessage()).streamId).toBe(3);
    await browser.nextMessage();
    browser.acknowledge(3);
    await until(first, "acknowledged");
    expect(deliveryOf(second)).toBe("sent");
    browser.acknowledge(4);
    await until(second, "acknowledged");
    expect(lab.pushes().map(({ acknowledged }) => acknowledged)).toEqual([true, true]);
  });

  test("comes with any frame, such as a ping", async () => {
    const browser = await connectBrowser(lab, fox);
    const id = await push();
    await browser.nextMessage();
    browser.ping();
    await until(id, "acknowledged");
    expect(deliveryOf(id)).toBe("acknowledged");
  });

  test("comes with the next login, and then nothing is sent twice", async () => {
    const first = await connectBrowser(lab, fox);
    const had = await push();
    const lost = await push();
    await first.nextMessage();
    await first.leave();
    await until(lost, "queued");
    const second = await connectBrowser(lab, fox, [had, "of another lab"]);
    expect((await second.nextMessage()).id).toBe(lost);
    expect(deliveryOf(had)).toBe("acknowledged");
  });

  test("is all that keeps a message from being sent again", async () => {
    const id = await push();
    const first = await connectBrowser(lab, fox);
    expect((await first.nextMessage()).id).toBe(id);
    await first.leave();
    const second = await connectBrowser(lab, fox);
    expect((await second.nextMessage()).id).toBe(id);
    second.acknowledge();
    await until(id, "acknowledged");
    await second.leave();
    const third = await connectBrowser(lab, fox);
    const next = await push();
    expect((await third.nextMessage()).id).toBe(next);
  });
});

test("a second connection of the same browser ends the first and takes over", async () => {
  const first = await connectBrowser(lab, fox);
  const id = await push();
  await first.nextMessage();
  const reasons: string[] = [];
  lab.onEvent((event) => event.type === "disconnected" && reasons.push(event.reason));
  const second = await connectBrowser(lab, fox);
  await first.closed;
  await lab.until(() => reasons.length > 0);
  expect(reasons).toEqual(["the browser has a newer connection"]);
  expect((await second.nextMessage()).id).toBe(id);
  const next = await push();
  expect((await second.nextMessage()).id).toBe(next);
});

describe("what is malformed ends its own connection and no other", () => {
  const version = Uint8Array.of(mcsVersion);

  test.each<[string, Uint8Array]>([
    ["another protocol", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    [
      "a frame before the login",
      Buffer.concat([version, encodeFrame({ tag: 0, body: new Uint8Array(0) })]),
    ],
    [
      "a login that is no protobuf",
      Buffer.concat([version, encodeFrame({ tag: 2, body: Uint8Array.of(0x0a, 0xff) })]),
    ],
    ["a frame without end", Buffer.concat([version, Uint8Array.of(2, 0xff, 0xff, 0xff, 0x7f)])],
  ])("%s", async (_case, bytes) => {
    const browser = await connectBrowser(lab, fox);
    const refused: string[] = [];
    lab.onEvent((event) => event.type === "connection-refused" && refused.push(event.reason));
    const stranger = await openConnection(lab);
    stranger.socket.write(bytes);
    await stranger.closed;
    expect(refused).toEqual([expect.stringMatching(/^malformed: /)]);
    const id = await push();
    expect((await browser.nextMessage()).id).toBe(id);
  });

  test("a malformed frame after the login; what it had not acknowledged comes again", async () => {
    const owl = await connectBrowser(lab, await checkIn(lab));
    const browser = await connectBrowser(lab, fox);
    const id = await push();
    await browser.nextMessage();
    browser.sendBytes(encodeFrame({ tag: 7, body: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff) }));
    await browser.closed;
    owl.ping();
    expect((await owl.nextFrame()).tag).toBe(stanzaTags.heartbeatAck);
    expect((await (await connectBrowser(lab, fox)).nextMessage()).id).toBe(id);
  });

  test("a second login on the same connection", async () => {
    const browser = await connectBrowser(lab, fox);
    browser.sendBytes(encodeFrame({ tag: 2, body: new Uint8Array(0) }));
    await expect(browser.closed).resolves.toBeUndefined();
  });

  test("something that does not even speak TLS", async () => {
    const browser = await connectBrowser(lab, fox);
    const plain = connect(Number(switchUrl(lab, "gcm-mcs-endpoint").port), "127.0.0.1");
    plain.on("error", () => {});
    plain.write("hello\r\n\r\n".repeat(20));
    await once(plain, "close");
    const id = await push();
    expect((await browser.nextMessage()).id).toBe(id);
  });
});
