import { describe, expect, test } from "vitest";
import { pushServiceOf, type PushService } from "./push-hosts.ts";
import { buildPushRequest, type Push } from "./request.ts";
import { makeSubscription } from "./testing/subscription.ts";
import { createVapidTokens, generateVapidKeys, importVapidKeys } from "./vapid.ts";

const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);
const { p256dh, auth, open } = makeSubscription();
const { publicKey, privateKey } = generateVapidKeys();
const vapidKey = importVapidKeys(publicKey, privateKey);

const endpoints = {
  fcm: "https://fcm.googleapis.com/fcm/send/1",
  mozilla: "https://updates.push.services.mozilla.com/wpush/v2/1",
  apple: "https://web.push.apple.com/1",
  windows: "https://wns2-par02p.notify.windows.com/w/?token=1",
  other: "https://push.example:8443/1",
} as const satisfies Record<PushService, string>;
const services = Object.keys(endpoints) as PushService[];

/** The request for a push to one of the push services, or why there is none. */
function build(service: PushService, change: Partial<Push> = {}) {
  const push: Push = {
    subscription: { endpoint: endpoints[service], p256dh, auth },
    vapidKey,
    plaintext: Buffer.from("hello"),
    ttlSeconds: 60,
    ...change,
  };
  return buildPushRequest(push, {
    policy: { hosts: [{ host: "push.example", port: 8443 }], routes: [] },
    tokens: createVapidTokens({ subject: "mailto:ops@example.com", now: () => nowMs }),
  });
}

function built(service: PushService, change: Partial<Push> = {}) {
  const request = build(service, change);
  if ("kind" in request) throw new Error(request.reason);
  return request;
}

describe("every push service", () => {
  describe.each(services)("%s", (service) => {
    test("is recognised by its host and asked at the path it gave", () => {
      const { target, message } = built(service);
      expect(target.service).toBe(service);
      expect(pushServiceOf(target.origin)).toBe(service);
      expect(target.origin + message.path).toBe(endpoints[service]);
    });

    test.each([0, 1, 60, 30 * 86_400])("is told a TTL of %i s, 28 days at most", (ttlSeconds) => {
      const { headers } = built(service, { ttlSeconds }).message;
      expect(headers["ttl"]).toBe(String(Math.min(ttlSeconds, 28 * 86_400)));
    });

    test("gets a token for its origin, port included", () => {
      const { headers } = built(service).message;
      const claims = Buffer.from(headers["authorization"]?.split(".")[1] ?? "", "base64url");
      expect(JSON.parse(claims.toString())).toMatchObject({
        aud: new URL(endpoints[service]).origin,
      });
    });

    test("gets 3,993 bytes of plaintext as 4,096, and never 3,994", () => {
      const { body } = built(service, { plaintext: Buffer.alloc(3993, "x") }).message;
      expect(body).toHaveLength(4096);
      expect(open(body ?? Buffer.alloc(0))).toEqual(Buffer.alloc(3993, "x"));
      expect(build(service, { plaintext: Buffer.alloc(3994) })).toMatchObject({
        kind: "failed",
        reason: "plaintext-too-large",
        detail: "3994 bytes",
      });
    });
  });
});

const lengths = Array.from({ length: 32 }, (_, index) => index + 1);
const topicAt = (service: PushService, topic: string): string =>
  built(service, { topic }).message.headers["topic"] ?? "";

describe.each(services.filter((service) => service !== "apple"))("%s", (service) => {
  test.each(lengths)("takes a topic of %i characters as it is", (length) => {
    expect(topicAt(service, "t".repeat(length))).toBe("t".repeat(length));
  });
});

describe("Apple", () => {
  test.each(lengths.filter((length) => length % 4 !== 1))(
    "takes a topic of %i characters as it is",
    (length) => {
      expect(topicAt("apple", "t".repeat(length))).toBe("t".repeat(length));
    },
  );

  test.each(lengths.filter((length) => length % 4 === 1))(
    "gets another topic for one of %i characters, always the same and of a length that it takes",
    (length) => {
      const topic = "t".repeat(length);
      const taken = topicAt("apple", topic);
      expect(taken).toMatch(/^[\w-]{32}$/);
      expect(topicAt("apple", topic)).toBe(taken);
      expect(topicAt("apple", `u${topic.slice(1)}`)).not.toBe(taken);
    },
  );
});

describe("Windows", () => {
  test("is told not to cache what has a TTL of 0, nobody else is", () => {
    const told = services.filter(
      (service) => "x-wns-cache-policy" in built(service, { ttlSeconds: 0 }).message.headers,
    );
    expect(told).toEqual(["windows"]);
    expect(built("windows", { ttlSeconds: 0 }).message.headers["x-wns-cache-policy"]).toBe(
      "no-cache",
    );
    expect(built("windows", { ttlSeconds: 1 }).message.headers).not.toHaveProperty(
      "x-wns-cache-policy",
    );
  });
});

test("Firefox for Android is spared padding: a push is 103 bytes longer than what it says", () => {
  expect(built("mozilla", { plaintext: Buffer.alloc(2967) }).message.body).toHaveLength(3070);
});
