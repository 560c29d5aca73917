import { STATUS_CODES } from "node:http";

import type { Mistake, ServiceRules } from "../push-service/service-rules.ts";

/**
 * Mozilla's own numbers for what is wrong: the table of autopush-rs's docs/src/errors.md, and where its code does otherwise,
 * the code (a TTL that is no number counts as missing, 111; the table's 112 is never sent). An Urgency that nobody knows it
 * lets pass; the lab refuses it everywhere, without a number.
 */
const errnos: Readonly<Record<Mistake, number | null>> = {
  "other-service": null,
  method: null,
  "subscription-unknown": 102,
  "subscription-ended": 106,
  "body-too-large": 104,
  "vapid-unusable": 109,
  "vapid-wrong": 109,
  "vapid-other-key": 109,
  "content-encoding": 110,
  "ttl-missing": 111,
  "ttl-unreadable": 111,
  "ttl-negative": 114,
  topic: 113,
  urgency: null,
  "own-demand": null,
};

/** Mozilla's push service, as it behaves at any origin of its. */
export const mozillaService = (origin: string): ServiceRules => ({
  origin,
  longestTtlSeconds: 30 * 24 * 60 * 60,
  wrongVapidStatus: 401,
  accepted: ({ id, ttlSeconds }) => ({
    status: 201,
    headers: { location: `${origin}/m/${id}`, ttl: String(ttlSeconds) },
  }),
  refused: ({ mistake, status, reason }) => ({
    status,
    headers: {
      "content-type": "application/json",
      ...(mistake === "method" && { allow: "POST" }),
      ...(status === 410 && { "cache-control": "max-age=86400" }),
    },
    body: JSON.stringify({
      code: status,
      errno: status === 404 ? errnos["subscription-unknown"] : errnos[mistake],
      error: STATUS_CODES[status],
      message: reason,
      more_info: "http://autopush.readthedocs.io/en/latest/http.html#error-codes",
    }),
  }),
});

/** Every Firefox's. */
export const firefoxService = mozillaService("https://updates.push.services.mozilla.com");
