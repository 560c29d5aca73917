import { describe, expect, test } from "vitest";
import webpush from "web-push";

import { signToken } from "../test/vapid-token.ts";
import { checkPushRequest, type PushRequest } from "./push-request.ts";
import type { Subscription } from "./subscriptions.ts";

const nowMs = Date.UTC(2030, 0, 1);
const keys = webpush.generateVAPIDKeys();
const service = "https://push.example";
const subscription: Subscription = {
  endpoint: `${service}/send/live`,
  browser: "1",
  origin: "https://shop.example",
  applicationServerKey: keys.publicKey,
  createdAtMs: 0,
};
const gone: Subscription = {
  ...subscription,
  endpoint: `${service}/send/gone`,
  ended: { atMs: 1, status: 410 },
};
const forgotten: Subscription = {
  ...subscription,
  endpoint: `${service}/send/forgotten`,
  ended: { atMs: 1, status: 404 },
};
const claims = { aud: service, exp: nowMs / 1000 + 60, sub: "mailto:ops@example.com" };
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
const check = (changes: Partial<PushRequest>) =>
  checkPushRequest(
    { ...good, ...changes },
    {
      services: [service],
      find: (endpoint) =>
        [subscription, gone, forgotten].find((known) => known.endpoint === endpoint),
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
    expect(result.outcome).toEqual({ subscription });
    expect(result.details).toMatchObject({ ...details, vapid: { claims } });
  });
});

describe("a push is refused", () => {
  test.each<[string, Partial<PushRequest>, number, RegExp]>([
    ["for another host", { authority: "push.example.com" }, 421, /push service is/],
    ["for another port", { authority: "push.example:8443" }, 421, /push service is/],
    ["with GET", { method: "GET" }, 405, /POST/],
    ["with PUT", { method: "PUT" }, 405, /POST/],
    ["for nobody", { path: "/send/other" }, 404, /no such/],
    ["for nobody, by a longer path", { path: "/send/live/" }, 404, /no such/],
    ["after the subscription ended", { path: "/send/gone" }, 410, /ended/],
    ["after it was forgotten", { path: "/send/forgotten" }, 404, /ended/],
    ["without a TTL", without("ttl"), 400, /TTL header is missing/],
    ["with a TTL below 0", withHeaders({ ttl: "-1" }), 400, /TTL is "-1"/],
    ["with a TTL that is no number", withHeaders({ ttl: "soon" }), 400, /TTL is "soon"/],
    ["with two TTLs", withHeaders({ ttl: "1, 2" }), 400, /TTL is "1, 2"/],
    ["with an empty TTL", withHeaders({ ttl: "" }), 400, /TTL is ""/],
    ["with a body of 4097 bytes", { body: new Uint8Array(4097) }, 413, /4096/],
    ["with a body in no encoding", without("content-encoding"), 400, /Content-Encoding/],
    [
      "in the old draft's encoding",
      withHeaders({ "content-encoding": "aesgcm" }),
      400,
      /Content-Encoding is "aesgcm"/,
    ],
    ["with a topic of 33 characters", withHeaders({ topic: "a".repeat(33) }), 400, /Topic/],
    ["with an empty topic", withHeaders({ topic: "" }), 400, /Topic/],
    ["with a topic out of the alphabet", withHeaders({ topic: "a+b" }), 400, /Topic/],
    ["with an unknown urgency", withHeaders({ urgency: "urgent" }), 400, /Urgency is "urgent"/],
    ["without credentials", without("authorization"), 401, /Authorization/],
    ["with a bad signature", withHeaders(anotherSignature()), 403, /signature/],
  ])("%s", (_case, changes, status, reason) => {
    expect(check(changes).outcome).toEqual({ status, reason: expect.stringMatching(reason) });
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
