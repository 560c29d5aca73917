import { describe, expect, test } from "vitest";
import type { KnownRegistration, RegistrationCandidate } from "../store/port.ts";
import { hashClientSecret } from "./client-secret.ts";
import { decide } from "./rules.ts";

const mine = hashClientSecret("mine");
const candidate: RegistrationCandidate = {
  projectId: 1,
  endpoint: "https://push.example/1",
  endpointHash: Buffer.alloc(32),
  p256dh: "p",
  auth: "a",
  vapidKeyId: 1,
  pushOrigin: "https://push.example",
  origin: "https://site.example",
  locale: null,
  timeZone: null,
  browser: "unknown",
  system: "unknown",
  clientSecretHash: mine,
  earlierToken: "t",
  loss: null,
  newToken: "n",
};
const subscription = { p256dh: "p", auth: "a", vapidKeyId: 1 };
const live: KnownRegistration = {
  id: 7,
  token: "t",
  generation: 1,
  clientSecretHash: mine,
  subscription,
  endReason: null,
};
const other = hashClientSecret("another's");
const gone = { ...live, subscription: null, endReason: "gone" } as const;

type Found = Parameters<typeof decide>[1];
const known = { clientSecretHash: mine, wasTold: false };
const nothing: Found = { byEndpoint: null, goneEndpoint: null, byToken: null };

const cases: [string, Partial<Found>, ReturnType<typeof decide>][] = [
  ["nothing known", {}, { kind: "new" }],
  ["the same again", { byEndpoint: live, byToken: live }, { kind: "refresh", id: 7 }],
  ["the same, token forgotten", { byEndpoint: live }, { kind: "refresh", id: 7 }],
  [
    "the same, with the token of another",
    { byEndpoint: live, byToken: { ...live, id: 8 } },
    { kind: "refresh", id: 7 },
  ],
  ["another's secret", { byEndpoint: { ...live, clientSecretHash: other } }, { kind: "refuse" }],
  [
    "another's endpoint with the own token",
    { byEndpoint: { ...live, clientSecretHash: other }, byToken: { ...live, id: 8 } },
    { kind: "refuse" },
  ],
  [
    "another p256dh",
    { byEndpoint: { ...live, subscription: { ...subscription, p256dh: "q" } }, byToken: live },
    { kind: "refuse" },
  ],
  [
    "another auth",
    { byEndpoint: { ...live, subscription: { ...subscription, auth: "b" } }, byToken: live },
    { kind: "refuse" },
  ],
  [
    "another VAPID key",
    { byEndpoint: { ...live, subscription: { ...subscription, vapidKeyId: 2 } }, byToken: live },
    { kind: "refuse" },
  ],
  ["a new subscription", { byToken: live }, { kind: "renew", id: 7 }],
  ["a new subscription after gone", { byToken: gone }, { kind: "renew", id: 7 }],
  ["someone else's token", { byToken: { ...live, clientSecretHash: other } }, { kind: "new" }],
  ["the token of one that left", { byToken: { ...gone, endReason: "left" } }, { kind: "new" }],
  ["an endpoint that is gone", { goneEndpoint: known, byToken: gone }, { kind: "tell-gone" }],
  [
    "an endpoint that is gone, from a browser that has another one since",
    { goneEndpoint: known, byToken: live },
    { kind: "tell-gone" },
  ],
  ["an endpoint that is gone, token forgotten", { goneEndpoint: known }, { kind: "tell-gone" }],
  [
    "the same endpoint from a browser that was told",
    { goneEndpoint: { ...known, wasTold: true }, byToken: gone },
    { kind: "renew", id: 7 },
  ],
  [
    "the same endpoint from a browser that was told, token forgotten",
    { goneEndpoint: { ...known, wasTold: true } },
    { kind: "new" },
  ],
  [
    "another's endpoint that is gone",
    { goneEndpoint: { ...known, clientSecretHash: other }, byToken: gone },
    { kind: "refuse" },
  ],
  [
    "another's endpoint that is gone, whose browser was told",
    { goneEndpoint: { clientSecretHash: other, wasTold: true } },
    { kind: "refuse" },
  ],
];

describe("decide", () => {
  test.for(cases)("%s", ([, found, expected]) => {
    expect(decide(candidate, { ...nothing, ...found })).toEqual(expected);
  });
});
