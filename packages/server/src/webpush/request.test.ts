import { createECDH } from "node:crypto";
import { describe, expect, test } from "vitest";
import { buildPushRequest, type Push, type PushRequest, type Urgency } from "./request.ts";
import { makeSubscription } from "./testing/subscription.ts";
import { generateVapidKeys, importVapidKeys, type VapidTokens } from "./vapid.ts";

const subscription = makeSubscription();
const { publicKey, privateKey } = generateVapidKeys();
const vapidKey = importVapidKeys(publicKey, privateKey);

const tokens: VapidTokens = {
  authorization: (origin, keys) => `vapid t=for ${origin}, k=${keys.publicKey}`,
};

function build(
  change: Partial<Push> & { endpoint?: string; keys?: { p256dh: string; auth: string } } = {},
) {
  const {
    endpoint = "https://fcm.googleapis.com/fcm/send/1",
    keys = subscription,
    ...rest
  } = change;
  const push: Push = {
    subscription: { endpoint, p256dh: keys.p256dh, auth: keys.auth },
    vapidKey,
    plaintext: Buffer.from("hello"),
    ttlSeconds: 60,
    ...rest,
  };
  return buildPushRequest(push, { policy: { hosts: [], routes: [] }, tokens });
}

function built(change: Parameters<typeof build>[0] = {}): PushRequest {
  const request = build(change);
  if ("kind" in request) throw new Error(request.reason);
  return request;
}

describe("buildPushRequest", () => {
  test("makes the whole request", () => {
    const { target, message } = built({ urgency: "high", topic: "news-1" });
    expect(target.origin).toBe("https://fcm.googleapis.com");
    expect(message.path).toBe("/fcm/send/1");
    expect(message.headers).toEqual({
      authorization: `vapid t=for https://fcm.googleapis.com, k=${publicKey}`,
      ttl: "60",
      urgency: "high",
      topic: "news-1",
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      "content-length": String(5 + 103),
    });
    expect(subscription.open(message.body ?? Buffer.alloc(0)).toString()).toBe("hello");
  });

  test("without a message: no body, and nothing said about one", () => {
    // Keys do not matter then: an old subscription may have none.
    const { message } = built({ plaintext: null, keys: { p256dh: "", auth: "" } });
    expect(message.body).toBeNull();
    expect(message.headers).toEqual({
      authorization: `vapid t=for https://fcm.googleapis.com, k=${publicKey}`,
      ttl: "60",
      urgency: "normal",
      "content-length": "0",
    });
  });

  test("an empty message is a message", () => {
    expect(built({ plaintext: Buffer.alloc(0) }).message.body).toHaveLength(103);
  });

  test("a TTL is at most 28 days", () => {
    expect(built({ ttlSeconds: 0 }).message.headers["ttl"]).toBe("0");
    expect(built({ ttlSeconds: 2_419_200 }).message.headers["ttl"]).toBe("2419200");
    expect(built({ ttlSeconds: 2_419_201 }).message.headers["ttl"]).toBe("2419200");
  });

  const offCurve = createECDH("prime256v1").generateKeys();
  offCurve.writeUInt8(offCurve.readUInt8(64) ^ 1, 64);

  test.each([
    [
      "an endpoint that is not allowed",
      { endpoint: "https://evil.example/" },
      "endpoint-not-allowed",
      "unknown-host: its host is neither a known push service's nor one that sineta_push_hosts allows",
    ],
    [
      "a key of the wrong length",
      { keys: { ...subscription, p256dh: "AAAA" } },
      "keys-unusable",
      "p256dh",
    ],
    [
      "an auth of the wrong length",
      { keys: { ...subscription, auth: "AAAA" } },
      "keys-unusable",
      "auth",
    ],
    [
      "a key off the curve",
      { keys: { ...subscription, p256dh: offCurve.toString("base64url") } },
      "keys-unusable",
      "p256dh",
    ],
    [
      "a plaintext that is too long",
      { plaintext: Buffer.alloc(3994) },
      "plaintext-too-large",
      "3994 bytes",
    ],
    ["a negative TTL", { ttlSeconds: -1 }, "options-invalid", "ttl"],
    ["half a second", { ttlSeconds: 0.5 }, "options-invalid", "ttl"],
    ["no number as TTL", { ttlSeconds: Number.NaN }, "options-invalid", "ttl"],
    ["an empty topic", { topic: "" }, "options-invalid", "topic"],
    ["a long topic", { topic: "x".repeat(33) }, "options-invalid", "topic"],
    ["a topic that would be a second header", { topic: "a\r\nb: c" }, "options-invalid", "topic"],
    // As it could be in a database that somebody edited.
    ["an unknown urgency", { urgency: "HIGH" as Urgency }, "options-invalid", "urgency"],
  ])("%s fails", (_what, change, reason, detail) => {
    const failed = build(change);
    expect(failed).toMatchObject({ kind: "failed", reason });
    expect("kind" in failed ? failed.detail.toLowerCase() : "").toContain(detail);
  });
});
