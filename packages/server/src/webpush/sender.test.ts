import { verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import { importPublicKey } from "./p256.ts";
import type { ReceivedPush } from "./testing/push-service.ts";
import { headersFrame } from "./testing/raw-http2.ts";
import { closed, sendingScene } from "./testing/scene.ts";
import { playedHost, sendTo } from "./testing/sending.ts";
import { makeSubscription } from "./testing/subscription.ts";

const { certificates, start, startRaw, atEnd } = sendingScene();

function answering(status: number, headers: Record<string, string> = {}, body = "") {
  return ({ stream }: ReceivedPush) => {
    stream.respond({ ":status": status, ...headers });
    stream.end(body);
  };
}

describe("a push that is sent", () => {
  test("arrives as RFC 8030, 8291 and 8292 say, and is accepted", async () => {
    const { service, sender, push } = await start({ onPush: answering(201) });
    const subscription = makeSubscription();
    const { p256dh, auth } = subscription;
    const endpoint = `https://${playedHost}/fcm/send/a:b?c=d%3d`;
    const outcome = await sender.send({
      ...push,
      subscription: { endpoint, p256dh, auth },
      plaintext: Buffer.from("olá"),
      ttlSeconds: 3600,
      urgency: "low",
      topic: "news",
    });
    expect(outcome).toEqual({ kind: "accepted", status: 201 });

    const { headers, body } = await service.arrival(0);
    expect(headers).toMatchObject({
      ":method": "POST",
      ":scheme": "https",
      ":authority": playedHost,
      ":path": "/fcm/send/a:b?c=d%3d",
      ttl: "3600",
      urgency: "low",
      topic: "news",
      "content-encoding": "aes128gcm",
      "content-length": String(body.length),
    });
    expect(subscription.open(body).toString()).toBe("olá");
    expect(claimsOf(headers.authorization)).toMatchObject({
      aud: `https://${playedHost}`,
      sub: "mailto:ops@example.com",
    });
  });

  test("to a port of its own says so in :authority and in the audience of its token", async () => {
    const { service } = await start({ onPush: answering(201) });
    const { sender, push } = sendTo(service.port, certificates(), {
      policy: {
        hosts: [{ host: playedHost, port: 8443 }],
        routes: [{ host: playedHost, port: 8443, address: "127.0.0.1", addressPort: service.port }],
      },
    });
    atEnd(sender.close);
    const endpoint = `https://${playedHost}:8443/1`;
    const subscription = { ...push.subscription, endpoint };
    expect(await sender.send({ ...push, subscription })).toMatchObject({ kind: "accepted" });
    const { headers } = await service.arrival(0);
    expect(headers[":authority"]).toBe(`${playedHost}:8443`);
    expect(claimsOf(headers.authorization)).toMatchObject({ aud: `https://${playedHost}:8443` });
  });

  test("may carry no message", async () => {
    const { service, sender, push } = await start({ onPush: answering(201) });
    expect(await sender.send({ ...push, plaintext: null })).toMatchObject({ kind: "accepted" });
    const { headers, body } = await service.arrival(0);
    expect(body).toHaveLength(0);
    expect(headers).not.toHaveProperty("content-encoding");
  });
});

describe("an answer", () => {
  const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);

  test.each<[string, ReturnType<typeof answering>, Outcome]>([
    ["gone", answering(410), { kind: "gone", status: 410 }],
    ["not found", answering(404, {}, "unregistered"), { kind: "gone", status: 404 }],
    [
      "later, in seconds",
      answering(429, { "retry-after": "30" }, "slow down"),
      {
        kind: "retry",
        reason: "throttled",
        notBefore: nowMs + 30_000,
        status: 429,
        detail: "slow down",
      },
    ],
    [
      "later, as a date",
      answering(503, {
        date: "Fri, 20 Nov 2026 12:00:00 GMT",
        "retry-after": "Fri, 20 Nov 2026 12:05:00 GMT",
      }),
      {
        kind: "retry",
        reason: "service-unavailable",
        notBefore: nowMs + 300_000,
        status: 503,
        detail: "",
      },
    ],
    [
      "key refused",
      answering(403, {}, '{"reason":"BadJwtToken"}'),
      {
        kind: "rejected",
        reason: "vapid-refused",
        status: 403,
        detail: '{"reason":"BadJwtToken"}',
      },
    ],
    [
      "too large",
      answering(413),
      { kind: "rejected", reason: "too-large", status: 413, detail: "" },
    ],
    [
      "elsewhere, which is not followed",
      answering(307, { location: `https://${playedHost}/other` }),
      { kind: "rejected", reason: "redirect", status: 307, detail: "" },
    ],
  ])("%s", async (_what, onPush, outcome) => {
    const { service, send } = await start({ onPush }, { now: () => nowMs });
    expect(await send()).toEqual(outcome);
    expect(service.received).toHaveLength(1);
  });

  test("that repeats the request tells neither the endpoint nor the token on", async () => {
    const { sender, push } = await start({
      onPush: ({ headers, stream }) => {
        stream.respond({ ":status": 403 });
        stream.end(`not for ${headers[":path"]}: ${headers.authorization}`);
      },
    });
    const secret = "dXNlcidzIGVuZHBvaW50IHNlY3JldA";
    const endpoint = `https://${playedHost}/fcm/send/${secret}?id=${secret}2`;
    const outcome = await sender.send({
      ...push,
      subscription: { ...push.subscription, endpoint },
    });
    expect(outcome).toMatchObject({ kind: "rejected", reason: "vapid-refused" });
    const detail = "detail" in outcome ? outcome.detail : "";
    expect(detail).toMatch(/^not for \/fcm\/send\/\.\.\.\?id=\.\.\.: vapid t=\.\.\./);
    expect(detail).not.toContain(secret.slice(0, 12));
    expect(detail).not.toContain("eyJ");
  });

  test("that repeats a token of Windows decoded does not tell it on", async () => {
    const { sender, push } = await start({
      onPush: ({ headers, stream }) => {
        stream.respond({ ":status": 400 });
        stream.end(`Bad token ${decodeURIComponent(String(headers[":path"]))}, ask anew`);
      },
    });
    const token = "AwYAAAC8%2bq3Kx%2fZ7m%2b1tWd%2bP0sVh%2fLr5%2bEn2Yk%2bJ4cA%3d%3d";
    const endpoint = `https://${playedHost}/w/?token=${token}`;
    const outcome = await sender.send({
      ...push,
      subscription: { ...push.subscription, endpoint },
    });
    expect(outcome).toMatchObject({ detail: "Bad token /w/?token=...==, ask anew" });
  });

  test("that never ends is read to its bound, and its stream is reset", async () => {
    const { promise: reset, resolve } = Promise.withResolvers<number>();
    const { send } = await start({
      onPush: ({ stream }) => {
        stream.respond({ ":status": 400 });
        const flood = (): void => {
          while (!stream.destroyed && stream.write("x".repeat(1000)));
        };
        stream.on("drain", flood);
        stream.on("close", () => {
          resolve(stream.rstCode);
        });
        flood();
      },
    });
    const detail = "x".repeat(200);
    expect(await send()).toMatchObject({ kind: "rejected", reason: "request-refused", detail });
    expect(await reset).toBe(8); // CANCEL
    expect(await send()).toMatchObject({ kind: "rejected" });
  });

  test.each<[number, Outcome]>([
    [201, { kind: "accepted", status: 201 }],
    [410, { kind: "gone", status: 410 }],
    [400, { kind: "rejected", reason: "request-refused", status: 400, detail: "drip" }],
  ])(
    "%i whose body drips counts by its status once the deadline is over",
    async (status, outcome) => {
      const { service, send } = await start(
        {
          onPush: ({ stream }) => {
            stream.respond({ ":status": status });
            stream.write("drip");
          },
        },
        { deadlines: { requestMs: 500 } },
      );
      expect(await send()).toEqual(outcome);
      const { stream } = await service.arrival(0);
      await closed(stream);
      expect(stream.rstCode).toBe(8);
    },
  );

  test("that comes before the push was read counts, and the rest is not sent", async () => {
    // With no window for data, the body never gets through.
    const { service, send } = await start({
      settings: { initialWindowSize: 0 },
      onHeaders: ({ stream }) => {
        stream.respond({ ":status": 413 }, { endStream: true });
      },
    });
    expect(await send()).toMatchObject({ kind: "rejected", reason: "too-large" });
    expect(await send()).toMatchObject({ kind: "rejected", reason: "too-large" });
    expect(service.connections()).toBe(1);
    expect(service.received).toHaveLength(0);
  });

  test.each([
    ["two hours ahead of ours", 2],
    ["two hours behind ours", -2],
  ])("later, as a date by a clock %s, is as much later as was meant", async (_what, hours) => {
    const theirsMs = nowMs + hours * 3_600_000;
    const headers = {
      date: new Date(theirsMs).toUTCString(),
      "retry-after": new Date(theirsMs + 300_000).toUTCString(),
    };
    const { send } = await start({ onPush: answering(429, headers) }, { now: () => nowMs });
    expect(await send()).toMatchObject({ kind: "retry", notBefore: nowMs + 300_000 });
  });

  test("later, said twice, means what was said first", async () => {
    const { send } = await startRaw(
      {
        onRequest: (peer, stream) => {
          const fields = [
            [":status", "503"],
            ["retry-after", "30"],
            ["retry-after", "3600"],
          ] as const;
          peer.write(headersFrame(stream, fields, { endStream: true }));
        },
      },
      { now: () => nowMs },
    );
    expect(await send()).toMatchObject({ kind: "retry", notBefore: nowMs + 30_000 });
  });
});

describe("bad stored data", () => {
  test("fails without a connection", async () => {
    const { service, sender, push } = await start({ onPush: answering(201) });
    const { subscription } = push;
    const cases: [Partial<typeof push>, string][] = [
      [
        { subscription: { ...subscription, endpoint: "https://evil.example/" } },
        "endpoint-not-allowed",
      ],
      [
        { subscription: { ...subscription, endpoint: "http://fcm.googleapis.com/x" } },
        "endpoint-not-allowed",
      ],
      [{ subscription: { ...subscription, p256dh: "" } }, "keys-unusable"],
      [{ subscription: { ...subscription, auth: "x" } }, "keys-unusable"],
      [{ plaintext: Buffer.alloc(3994) }, "plaintext-too-large"],
      [{ ttlSeconds: -1 }, "options-invalid"],
      // What the types forbid and a database can hold.
      [{ subscription: { ...subscription, endpoint: null as unknown as string } }, "unexpected"],
      [{ vapidKey: null as unknown as typeof push.vapidKey }, "unexpected"],
    ];
    for (const [change, reason] of cases) {
      expect(await sender.send({ ...push, ...change })).toMatchObject({ kind: "failed", reason });
    }
    expect(service.connections()).toBe(0);
  });
});

/** The claims of a VAPID token, if its signature holds. */
function claimsOf(authorization = ""): unknown {
  const [, jwt = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = jwt.split(".");
  const publicKey = importPublicKey(Buffer.from(key, "base64url"));
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify("sha256", signed, options, Buffer.from(signature, "base64url"))).toBe(true);
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}
