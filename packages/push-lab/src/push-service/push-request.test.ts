import { describe, expect, test } from "vitest";
import webpush from "web-push";

import { signToken } from "../test/vapid-token.ts";
import { checkPushRequest, type PushRequest } from "./push-request.ts";
import { type Mistake, refusedInText, type ServiceRules } from "./service-rules.ts";
import type { Subscription } from "./subscriptions.ts";

const nowMs = Date.UTC(2030, 0, 1);
const keys = webpush.generateVAPIDKeys();
const origin = "https://push.example";
const service: ServiceRules = {
  origin,
  longestTtlSeconds: 2_419_200,
  wrongVapidStatus: 403,
  accepted: () => ({ status: 201 }),
  refused: refusedInText,
};
const subscription: Subscription = {
  endpoint: `${origin}/send/live`,
  browser: "1",
  origin: "https://shop.example",
  applicationServerKey: keys.publicKey,
  createdAtMs: 0,
};
const unrestricted: Subscription = {
  ...subscription,
  endpoint: `${origin}/send/unrestricted`,
  applicationServerKey: "",
};
const gone: Subscription = {
  ...subscription,
  endpoint: `${origin}/send/gone`,
  ended: { atMs: 1, status: 410 },
};
const forgotten: Subscription = {
  ...subscription,
  endpoint: `${origin}/send/forgotten`,
  ended: { atMs: 1, status: 404 },
};
const claims = { aud: origin, exp: nowMs / 1000 + 60, sub: "mailto:ops@example.com" };
const good: PushRequest = {
  method: "POST",
  authority: "push.example",
  path: "/send/live",
  headers: {
    ttl: "60",
    "content-encoding": "aes128gcm",
    authorization: `vapid t=${signToken(keys, claims)}, k=${keys.publicKey}`,
  },
  body: new Uint8Array(100),
};
const without = (name: string): Partial<PushRequest> => ({
  headers: Object.fromEntries(Object.entries(good.headers).filter(([key]) => key !== name)),
});
const withHeaders = (headers: Record<string, string>): Partial<PushRequest> => ({
  headers: { ...good.headers, ...headers },
});
const check = (changes: Partial<PushRequest>, services = [service]) =>
  checkPushRequest(
    { ...good, ...changes },
    {
      services,
      find: (endpoint) =>
        [subscription, unrestricted, gone, forgotten].find((known) => known.endpoint === endpoint),
      nowMs,
    },
  );

describe("a push is accepted", () => {
  test.each<[string, Partial<PushRequest>, object]>([
    ["as it should be", {}, { ttlSeconds: 60, urgency: "normal", contentEncoding: "aes128gcm" }],
    ["with the port in its authority", { authority: "push.example:443" }, {}],
    ["with a TTL of 0", withHeaders({ ttl: "0" }), { ttlSeconds: 0 }],
    ["with a TTL too long, shortened", withHeaders({ ttl: "99999999" }), { ttlSeconds: 2_419_200 }],
    ["with a body of 4096 bytes", { body: new Uint8Array(4096) }, {}],
    [
      "without a body and its encoding",
      { ...without("content-encoding"), body: new Uint8Array(0) },
      {},
    ],
    ["with a topic", withHeaders({ topic: "a-b_".repeat(8) }), { topic: "a-b_".repeat(8) }],
    ["of very low urgency", withHeaders({ urgency: "very-low" }), { urgency: "very-low" }],
    ["of low urgency", withHeaders({ urgency: "low" }), { urgency: "low" }],
    ["of normal urgency", withHeaders({ urgency: "normal" }), { urgency: "normal" }],
    ["of high urgency", withHeaders({ urgency: "high" }), { urgency: "high" }],
  ])("%s", (_case, changes, details) => {
    const result = check(changes);
    expect(result.outcome).toEqual({ service, subscription });
    expect(result.details).toMatchObject({ ...details, vapid: { claims } });
  });
});

describe("a subscription made without a key takes a push", () => {
  const path = "/send/unrestricted";

  test("without credentials", () => {
    const { outcome, details } = check({ ...without("authorization"), path });
    expect(outcome).toEqual({ service, subscription: unrestricted });
    expect(details).not.toHaveProperty("vapid");
  });

  test("signed with any key, but not signed wrongly", () => {
    expect(check({ path }).outcome).toEqual({ service, subscription: unrestricted });
    expect(check({ ...withHeaders(anotherSignature()), path }).outcome).toMatchObject({
      refusal: { mistake: "vapid-wrong" },
    });
  });
});

describe("a push is refused", () => {
  test.each<[string, Partial<PushRequest>, Mistake, number, RegExp]>([
    [
      "for another host",
      { authority: "push.example.com" },
      "other-service",
      421,
      /push service is/,
    ],
    [
      "for another port",
      { authority: "push.example:8443" },
      "other-service",
      421,
      /push service is/,
    ],
    ["with GET", { method: "GET" }, "method", 405, /POST/],
    ["with PUT", { method: "PUT" }, "method", 405, /POST/],
    ["for nobody", { path: "/send/other" }, "subscription-unknown", 404, /no such/],
    [
      "for nobody, by a longer path",
      { path: "/send/live/" },
      "subscription-unknown",
      404,
      /no such/,
    ],
    ["after the subscription ended", { path: "/send/gone" }, "subscription-ended", 410, /ended/],
    ["after it was forgotten", { path: "/send/forgotten" }, "subscription-ended", 404, /ended/],
    ["without a TTL", without("ttl"), "ttl-missing", 400, /TTL header is missing/],
    ["with a TTL below 0", withHeaders({ ttl: "-1" }), "ttl-negative", 400, /TTL is "-1"/],
    [
      "with a TTL that is no number",
      withHeaders({ ttl: "soon" }),
      "ttl-unreadable",
      400,
      /TTL is "soon"/,
    ],
    ["with two TTLs", withHeaders({ ttl: "1, 2" }), "ttl-unreadable", 400, /TTL is "1, 2"/],
    ["with an empty TTL", withHeaders({ ttl: "" }), "ttl-unreadable", 400, /TTL is ""/],
    ["with a body of 4097 bytes", { body: new Uint8Array(4097) }, "body-too-large", 413, /4096/],
    [
      "with a body in no encoding",
      without("content-encoding"),
      "content-encoding",
      400,
      /Content-Encoding/,
    ],
    [
      "in the old draft's encoding",
      withHeaders({ "content-encoding": "aesgcm" }),
      "content-encoding",
      400,
      /Content-Encoding is "aesgcm"/,
    ],
    [
      "with a topic of 33 characters",
      withHeaders({ topic: "a".repeat(33) }),
      "topic",
      400,
      /Topic/,
    ],
    ["with an empty topic", withHeaders({ topic: "" }), "topic", 400, /Topic/],
    ["with a topic out of the alphabet", withHeaders({ topic: "a+b" }), "topic", 400, /Topic/],
    [
      "with an unknown urgency",
      withHeaders({ urgency: "urgent" }),
      "urgency",
      400,
      /Urgency is "urgent"/,
    ],
    ["without credentials", without("authorization"), "vapid-unusable", 401, /Authorization/],
    ["with a bad signature", withHeaders(anotherSignature()), "vapid-wrong", 403, /signature/],
  ])("%s", (_case, changes, mistake, status, reason) => {
    expect(check(changes).outcome).toEqual({
      service: mistake === "other-service" ? undefined : service,
      refusal: { mistake, status, reason: expect.stringMatching(reason) },
    });
  });

  test("with the status that is the service's own for wrong credentials", () => {
    const other = { ...service, wrongVapidStatus: 401 } as const;
    const { outcome } = check(withHeaders(anotherSignature()), [other]);
    expect(outcome).toMatchObject({ service: other, refusal: { status: 401 } });
  });

  test("and what was read before is still there to see", () => {
    const { details } = check({ ...withHeaders({ urgency: "urgent", topic: "t" }) });
    expect(details).toEqual({
      endpoint: subscription.endpoint,
      ttlSeconds: 60,
      contentEncoding: "aes128gcm",
      topic: "t",
    });
  });
});

function anotherSignature(): Record<string, string> {
  const others = webpush.generateVAPIDKeys();
  return { authorization: `vapid t=${signToken(others, claims)}, k=${keys.publicKey}` };
}
