import { readFile } from "node:fs/promises";
import { connect } from "node:http2";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { PushLabError } from "../errors.ts";
import { type PushLab, startPushLab } from "../lab.ts";
import { sendOverHttp1, sendOverHttp2, signedPush, vapidKeys } from "../test/application-server.ts";
import { checkIn, connectBrowser, subscribe } from "../test/chromium-client.ts";

let nowMs: number;
let lab: PushLab;
let endpoint: string;
let browser: Awaited<ReturnType<typeof checkIn>>;

beforeEach(async () => {
  nowMs = Date.now();
  lab = await startPushLab({ now: () => nowMs });
  browser = await checkIn(lab);
  endpoint = await subscribe(lab, browser);
});
afterEach(() => lab.close());

describe.each([
  ["HTTP/2", sendOverHttp2],
  ["HTTP/1.1", sendOverHttp1],
])("over %s", (_protocol, send) => {
  test("a push is accepted, and its message has a place", async () => {
    const answer = await send(lab, signedPush({ endpoint }));
    expect(answer.status).toBe(201);
    const [push] = lab.pushes();
    expect(answer.headers["location"]).toBe(`https://jmt17.google.com/message/${push?.id}`);
    expect(answer.headers["ttl"]).toBeUndefined();
  });

  test("everything about it is there to see", async () => {
    const sent = signedPush({ endpoint, topic: "news", ttl: "30" });
    await send(lab, { ...sent, headers: { ...sent.headers, urgency: "high", "x-own": "1" } });
    expect(lab.pushes()).toEqual([
      {
        id: expect.any(String),
        endpoint,
        arrivedAtMs: nowMs,
        headers: expect.objectContaining({ ...sent.headers, "x-own": "1" }),
        ttlSeconds: 30,
        urgency: "high",
        topic: "news",
        contentEncoding: "aes128gcm",
        vapid: {
          key: vapidKeys.publicKey,
          claims: expect.objectContaining({ aud: "https://jmt17.google.com" }),
        },
        body: Buffer.from("sealed"),
        status: 201,
        delivery: "queued",
        acknowledged: false,
      },
    ]);
  });

  test("a refusal says why, in the answer and in the list", async () => {
    const sent = signedPush({ endpoint });
    const answer = await send(lab, { ...sent, headers: { ...sent.headers, ttl: "soon" } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/^TTL is "soon"/);
    expect(lab.pushes()).toMatchObject([{ status: 400, reason: answer.body.trim() }]);
    expect(lab.pushes()[0]).not.toHaveProperty("delivery");
  });

  test("a body at the limit is taken, one byte more is refused", async () => {
    const atLimit = signedPush({ endpoint, body: new Uint8Array(4096) });
    expect((await send(lab, atLimit)).status).toBe(201);
    const over = signedPush({ endpoint, body: new Uint8Array(4097) });
    expect((await send(lab, over)).status).toBe(413);
  });

  test("a body far over it is refused, and no more of it is kept", async () => {
    const answer = await send(lab, signedPush({ endpoint, body: new Uint8Array(300_000) }));
    expect(answer.status).toBe(413);
    expect(lab.pushes()[0]?.body.byteLength).toBe(4097);
  });

  test("an unknown token is 404, an ended subscription 410", async () => {
    expect((await send(lab, signedPush({ endpoint: `${endpoint}x` }))).status).toBe(404);
    lab.endSubscription(endpoint);
    expect((await send(lab, signedPush({ endpoint }))).status).toBe(410);
  });
});

test("a body that never ends is refused as soon as it is over the limit", async () => {
  const { host, pathname } = new URL(endpoint);
  const session = connect(`https://${host}`, {
    ca: await readFile(lab.caPath),
    servername: host,
    host: lab.pushService.address,
    port: lab.pushService.port,
  });
  const stream = session.request({
    ...signedPush({ endpoint }).headers,
    ":method": "POST",
    ":authority": host,
    ":path": pathname,
  });
  stream.write(new Uint8Array(5000));
  const status = await new Promise((resolve) => {
    stream.once("response", (headers) => {
      resolve(headers[":status"]);
    });
  });
  expect(status).toBe(413);
  session.destroy();
});

test("only POST is answered with more than 405", async () => {
  const answer = await sendOverHttp2(lab, signedPush({ endpoint }), "PUT");
  expect(answer.status).toBe(405);
  expect(answer.headers["allow"]).toBe("POST");
});

test("a TTL that was shortened is told in the answer", async () => {
  const answer = await sendOverHttp2(lab, signedPush({ endpoint, ttl: "9999999" }));
  expect(answer.headers["ttl"]).toBe("2419200");
});

test("a push whose TTL passes while its browser is away is seen to expire", async () => {
  await sendOverHttp2(lab, signedPush({ endpoint, ttl: "10" }));
  expect(lab.pushes()[0]?.delivery).toBe("queued");
  nowMs += 10_000;
  expect(lab.pushes()[0]?.delivery).toBe("expired");
});

test("VAPID is judged by the lab's clock", async () => {
  nowMs += 2 * 60 * 60 * 1000;
  const answer = await sendOverHttp2(lab, signedPush({ endpoint }));
  expect(answer).toMatchObject({ status: 403, body: "exp is in the past\n" });
});

describe("answers by order", () => {
  const statuses = async (count: number) => {
    const seen = [];
    for (let sent = 0; sent < count; sent += 1)
      seen.push((await sendOverHttp2(lab, signedPush({ endpoint }))).status);
    return seen;
  };

  test("stand in for the next acceptances, with their headers and body", async () => {
    lab.answerNext({ status: 503, headers: { "Retry-After": "7" }, body: "later" });
    const answer = await sendOverHttp2(lab, signedPush({ endpoint }));
    expect(answer).toMatchObject({ status: 503, body: "later", headers: { "retry-after": "7" } });
    expect(await statuses(1)).toEqual([201]);
  });

  test("come as often as they were ordered, one after the other", async () => {
    lab.answerNext({ status: 429, count: 2 });
    lab.answerNext({ status: 403 });
    expect(await statuses(4)).toEqual([429, 429, 403, 201]);
  });

  test("can be ordered for ever, until the lab behaves again", async () => {
    lab.answerNext({ status: 500, count: Number.POSITIVE_INFINITY });
    lab.answerNext({ status: 501, count: 0 });
    expect(await statuses(3)).toEqual([500, 500, 500]);
    lab.behave();
    expect(await statuses(1)).toEqual([201]);
  });

  test("that HTTP does not know are an error", () => {
    expect(() => {
      lab.answerNext({ status: 99 });
    }).toThrow(/^fault\.status is 99, expected a whole number from 200 to 599\.$/);
  });

  test("may be none: the push is recorded with status 0, and was not accepted", async () => {
    lab.misbehave({ fault: { kind: "hang-up" }, times: 1 });
    // This client calls it 0, too, when the connection ends without an answer.
    expect(await statuses(1)).toEqual([0]);
    expect(lab.pushes()).toMatchObject([{ status: 0, reason: "the lab was told not to answer" }]);
    expect(lab.pushes()[0]).not.toHaveProperty("delivery");
  });

  test("do not hide what is wrong with a push, nor are they spent on it", async () => {
    lab.answerNext({ status: 503 });
    const answer = await sendOverHttp2(lab, signedPush({ endpoint, ttl: "" }));
    expect(answer.status).toBe(400);
    expect(await statuses(2)).toEqual([503, 201]);
  });

  test("reach no browser, not even as a success", async () => {
    const connection = await connectBrowser(lab, browser);
    lab.answerNext({ status: 201 });
    expect(await statuses(2)).toEqual([201, 201]);
    const [told, delivered] = lab.pushes();
    expect(told).not.toHaveProperty("delivery");
    expect((await connection.nextMessage()).id).toBe(delivered?.id);
  });
});

describe("ending a subscription", () => {
  test.each([404, 410] as const)(
    "makes its endpoint answer %i, and drops what waits",
    async (status) => {
      await sendOverHttp2(lab, signedPush({ endpoint }));
      lab.endSubscription(endpoint, status);
      expect((await sendOverHttp2(lab, signedPush({ endpoint }))).status).toBe(status);
      expect(lab.pushes()[0]?.delivery).toBe("dropped");
      expect(lab.subscriptions()).toMatchObject([{ endpoint, ended: { atMs: nowMs, status } }]);
    },
  );

  test("that is not live is an error", () => {
    lab.endSubscription(endpoint);
    expect(() => {
      lab.endSubscription(endpoint);
    }).toThrow(PushLabError);
    expect(() => {
      lab.endSubscription("https://jmt17.google.com/fcm/send/nobody");
    }).toThrow(/no live subscription/);
  });
});
