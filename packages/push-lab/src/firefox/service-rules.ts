import { STATUS_CODES } from "node:http";

import type { Fault, ServiceRules } from "../push-service/service-rules.ts";

/**
 * Mozilla's own numbers for what is wrong: the table of autopush-rs's docs/src/errors.md, and where its code does otherwise,
 * the code (a TTL that is no number counts as missing, 111; the table's 112 is never sent). An Urgency that nobody knows it
 * lets pass; the lab refuses it everywhere, without a number.
 */
const errnos: Readonly<Record<Fault, number | null>> = {
  "other-service": null,
  method: null,
  "subscription-unknown": 102,
  "subscription-ended": 106,
  "body-too-large": 104,
  "vapid-unusable": 109,
  "vapid-wrong": 109,
  "content-encoding": 110,
  "ttl-missing": 111,
  "ttl-unreadable": 111,
  "ttl-negative": 114,
  topic: 113,
  urgency: null,
};

/** Mozilla's push service, which is every Firefox's. */
export const firefoxService: ServiceRules = {
  origin: "https://updates.push.services.mozilla.com",
  longestTtlSeconds: 30 * 24 * 60 * 60,
  wrongVapidStatus: 401,
  accepted: ({ id, ttlSeconds }) => ({
    status: 201,
    headers: { location: `${firefoxService.origin}/m/${id}`, ttl: String(ttlSeconds) },
  }),
  refused: ({ fault, status, reason }) => ({
    status,
    headers: {
      "content-type": "application/json",
      ...(fault === "method" && { allow: "POST" }),
      ...(status === 410 && { "cache-control": "max-age=86400" }),
    },
    body: JSON.stringify({
      code: status,
      errno: status === 404 ? errnos["subscription-unknown"] : errnos[fault],
      error: STATUS_CODES[status],
      message: reason,
      more_info: "http://autopush.readthedocs.io/en/latest/http.html#error-codes",
    }),
  }),
};
