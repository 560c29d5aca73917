import { PushLabError } from "../errors.ts";
import { googleService } from "../chromium/service-rules.ts";
import { mozillaService } from "../firefox/service-rules.ts";
import type { Refusal, ServiceRules } from "../push-service/service-rules.ts";

type Family = {
  readonly hosts: RegExp;
  readonly service: (origin: string) => ServiceRules;
  /** What stands before the name in the path of its endpoints. */
  readonly pathStart: string;
};

const google: Family = {
  hosts: /^(?:fcm\.googleapis\.com|jmt17\.google\.com)$/,
  service: googleService,
  pathStart: "/fcm/send/",
};

const families: readonly Family[] = [
  google,
  {
    hosts: /\.push\.services\.mozilla\.com$/,
    service: mozillaService,
    pathStart: "/wpush/v2/",
  },
  { hosts: /\.push\.apple\.com$/, service: appleService, pathStart: "/" },
  { hosts: /\.notify\.windows\.com$/, service: windowsService, pathStart: "/w/?token=" },
];

/** How the push service at this origin behaves; one that nobody knows behaves as Google's. */
export function serviceAt(origin: string): ServiceRules {
  return (familyOf(origin) ?? google).service(origin);
}

/**
 * An endpoint there, as the service would write it.
 *
 * @throws PushLabError `unknown-endpoint` where the origin is none of those that are played
 */
export function endpointAt(played: readonly string[], origin: string, name: string): string {
  if (!played.includes(origin))
    throw new PushLabError(
      "unknown-endpoint",
      `"${origin}" is no origin of this sink: it plays ${played.join(" and ")}.`,
    );
  return `${origin}${(familyOf(origin) ?? google).pathStart}${encodeURIComponent(name)}`;
}

/** Whether a browser vendor has a push service there, at the port that https has. */
export function isVendors(origin: string): boolean {
  return familyOf(origin) !== undefined && new URL(origin).port === "";
}

function familyOf(origin: string): Family | undefined {
  const { hostname } = new URL(origin);
  return families.find(({ hosts }) => hosts.test(hostname));
}

/** Apple's, from "Sending web push notifications in web apps and browsers"; that it refuses some topics is users' report. */
function appleService(origin: string): ServiceRules {
  return {
    origin,
    longestTtlSeconds: 30 * 24 * 60 * 60,
    wrongVapidStatus: 403,
    otherKeyStatus: 400,
    objection: ({ topic = "" }) =>
      topic.length % 4 === 1 ? "Topic is of a length that is 1 modulo 4" : undefined,
    accepted: ({ id }) => ({ status: 201, headers: { location: `${origin}/m/${id}` } }),
    refused: ({ mistake, status, reason }) => ({
      status,
      headers: {
        "content-type": "application/json",
        ...(mistake === "method" && { allow: "POST" }),
      },
      body: JSON.stringify({ reason: appleReasons[mistake], description: reason }),
    }),
  };
}

const appleReasons: Readonly<Record<Refusal["mistake"], string>> = {
  "other-service": "BadPath",
  method: "MethodNotAllowed",
  "subscription-unknown": "BadPath",
  "subscription-ended": "Unregistered",
  "ttl-missing": "BadTtl",
  "ttl-unreadable": "BadTtl",
  "ttl-negative": "BadTtl",
  "body-too-large": "PayloadTooLarge",
  "content-encoding": "BadContentEncoding",
  topic: "BadWebPushTopic",
  urgency: "BadUrgency",
  "vapid-unusable": "BadAuthorizationHeader",
  "vapid-wrong": "BadJwtToken",
  "vapid-other-key": "VapidPkHashMismatch",
  "own-demand": "BadWebPushTopic",
};

/** Windows', from "Push notification service request and response headers": what it has to say stands in headers alone. */
function windowsService(origin: string): ServiceRules {
  return {
    origin,
    longestTtlSeconds: 30 * 24 * 60 * 60,
    wrongVapidStatus: 401,
    objection: (headers) =>
      Number(headers["ttl"]) === 0 && headers["x-wns-cache-policy"] !== "no-cache"
        ? "a TTL of 0 needs X-WNS-Cache-Policy: no-cache"
        : undefined,
    accepted: ({ id }) => ({
      status: 201,
      headers: {
        location: `${origin}/m/${id}`,
        "x-wns-status": "received",
        "x-wns-notificationstatus": "received",
        "x-wns-msg-id": id,
      },
    }),
    refused: ({ mistake, status, reason }) => ({
      status,
      headers: {
        "x-wns-status": "dropped",
        "x-wns-error-description": reason,
        ...(mistake === "method" && { allow: "POST" }),
      },
    }),
  };
}
