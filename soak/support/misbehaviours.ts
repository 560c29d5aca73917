import type { Fault, Rule } from "@sineta/push-lab";
import type { Breaker } from "../../packages/server/src/store/port.ts";

/** One way in which a push service goes wrong, and what has to come of it. */
export type Misbehaviour = {
  name: string;
  /** Which requests meet it; of one origin. */
  rule: Rule;
  course: Course;
  /** Its host ends so, and it answers in its vendor's way; unless given it is nobody's that is known. */
  domain?: ".push.apple.com" | ".notify.windows.com" | ".push.services.mozilla.com";
  /** What becomes of a registration whose request meets it; unless given it is tried again, or was accepted after all. */
  ends?: "gone" | "rejected";
  /** So many may be accepted twice for each request that met it; none unless given. */
  twicePerHit?: number;
  /** It has accepted something before, as one that has not gets one push at a time until it answers. */
  known?: true;
  /** Nothing is noticed before a request's deadline. */
  takesDeadline?: boolean;
  /** `http2`: HTTP/1.1 has no such thing. `any`: over HTTP/1.1 it is nothing that others are not, so the short form leaves it out there. */
  over?: "http2" | "any";
};

type Course =
  /** It lasts until it is told to behave. Meanwhile the breaker is open for this reason, and the message paused. */
  | { kind: "outage"; opens: Breaker["reason"] }
  /** The same, but the push service itself comes round once it has been left alone. */
  | { kind: "spell"; opens: Breaker["reason"] }
  /** It lasts until it is told to behave, but concerns single registrations, and nothing is held back. */
  | { kind: "single" }
  /** It goes by by itself. */
  | {
      kind: "passing";
      /** Nothing is held back meanwhile, unless it may be: it is a matter of chance whether anything works between. */
      mayHold?: boolean;
    };

const unavailable: Course = { kind: "outage", opens: "unavailable" };
const throttled: Course = { kind: "outage", opens: "throttled" };
const vapidRefused: Course = { kind: "outage", opens: "vapid-refused" };
const refusesAll: Course = { kind: "outage", opens: "refuses-all" };
const rough: Course = { kind: "passing", mayHold: true };
const passing: Course = { kind: "passing" };

const answer = (status: number, more: { headers?: Record<string, string>; body?: string } = {}) =>
  ({ kind: "answer", status, ...more }) as const;
const later = (text: string) => ({ headers: { "retry-after": text } });
const repeated = (count: number, step: Fault | "ok") => Array.from({ length: count }, () => step);

/** As many streams as the sink allows on a connection: all of them end with it. */
const streams = 100;

const answers: Misbehaviour[] = [
  { name: "500 to all", rule: { fault: answer(500) }, course: unavailable },
  {
    name: "503 with Retry-After in seconds to all",
    over: "any",
    rule: { fault: answer(503, later("6")) },
    course: unavailable,
  },
  {
    name: "503 with a Retry-After that is over, by share",
    over: "any",
    rule: { share: 0.1, fault: answer(503, later("Thu, 01 Jan 1970 00:00:00 GMT")) },
    course: passing,
  },
  {
    name: "503 with a Retry-After that nobody can read, by share",
    over: "any",
    rule: { share: 0.1, fault: answer(503, later("soon")) },
    course: passing,
  },
  { name: "408 to all", over: "any", rule: { fault: answer(408) }, course: unavailable },
  { name: "429 to all", over: "any", rule: { fault: answer(429) }, course: throttled },
  {
    name: "429 with Retry-After, by count",
    over: "any",
    rule: { times: 8, fault: answer(429, later("1")) },
    course: passing,
  },
  {
    name: "429 once at each endpoint",
    over: "any",
    rule: { timesPerEndpoint: 1, fault: answer(429) },
    course: rough,
  },
  {
    name: "406 to all, from Windows",
    over: "any",
    domain: ".notify.windows.com",
    rule: { fault: answer(406) },
    course: throttled,
  },
  {
    name: "429 to all, from Apple",
    over: "any",
    domain: ".push.apple.com",
    rule: { fault: answer(429) },
    course: { kind: "single" },
  },
  {
    name: "400 to all",
    over: "any",
    rule: { fault: answer(400, { body: "no" }) },
    course: refusesAll,
    ends: "rejected",
  },
  {
    name: "a redirect to all",
    over: "any",
    rule: { fault: answer(307, { headers: { location: "https://elsewhere.example/" } }) },
    course: refusesAll,
    ends: "rejected",
  },
  {
    name: "a status that nobody knows, by script",
    over: "any",
    rule: { script: [answer(299), "ok", answer(418), "ok", answer(304)] },
    course: passing,
    ends: "rejected",
  },
  {
    name: "413, by share",
    over: "any",
    rule: { share: 0.3, fault: answer(413) },
    course: passing,
    ends: "rejected",
  },
  {
    name: "410, by share",
    over: "any",
    rule: { share: 0.3, fault: answer(410) },
    course: passing,
    ends: "gone",
  },
  {
    name: "404, by count",
    over: "any",
    rule: { times: 50, fault: answer(404) },
    course: passing,
    ends: "gone",
  },
  {
    name: "one bad thing after the other, by script",
    rule: {
      script: [
        answer(500),
        "ok",
        { kind: "reset", at: "request" },
        { kind: "goaway" },
        answer(503),
        ...repeated(20, "ok"),
        { kind: "endless-headers" },
        { kind: "endless-body" },
        answer(502),
      ],
    },
    course: passing,
  },
];

const refusals: Misbehaviour[] = [
  {
    name: "the VAPID key refused to all",
    over: "any",
    rule: { fault: { kind: "refuse-vapid" } },
    course: vapidRefused,
  },
  {
    name: "the VAPID key refused to all, by Apple",
    over: "any",
    domain: ".push.apple.com",
    rule: { fault: { kind: "refuse-vapid" } },
    course: vapidRefused,
  },
  {
    name: "the VAPID token refused to all, by Mozilla",
    over: "any",
    domain: ".push.services.mozilla.com",
    rule: { fault: { kind: "refuse-vapid", because: "token" } },
    course: vapidRefused,
  },
  {
    name: "the VAPID token refused to all, by Windows",
    over: "any",
    domain: ".notify.windows.com",
    rule: { fault: { kind: "refuse-vapid", because: "token" } },
    course: vapidRefused,
  },
  {
    name: "a rate limit as FCM's",
    over: "any",
    rule: { fault: { kind: "rate-limit", as: "fcm", limit: 100, windowSeconds: 4 } },
    course: { kind: "spell", opens: "throttled" },
  },
  {
    name: "a rate limit as Windows'",
    over: "any",
    domain: ".notify.windows.com",
    rule: {
      fault: { kind: "rate-limit", as: "windows", limit: 100, windowSeconds: 3, blockSeconds: 2 },
    },
    course: { kind: "spell", opens: "throttled" },
  },
  {
    name: "a rate limit as Apple's",
    over: "any",
    domain: ".push.apple.com",
    rule: { fault: { kind: "rate-limit", as: "apple", limit: 0, windowSeconds: 60 } },
    course: { kind: "single" },
  },
];

const silences: Misbehaviour[] = [
  {
    name: "no answer to all",
    known: true,
    takesDeadline: true,
    rule: { fault: { kind: "hang", at: "request" } },
    course: unavailable,
  },
  {
    name: "no answer, by count",
    known: true,
    rule: { times: 5, fault: { kind: "hang", at: "request" } },
    course: passing,
  },
  {
    name: "taken and no answer, by count",
    known: true,
    over: "any",
    rule: { times: 5, fault: { kind: "hang", at: "request", taken: true } },
    course: passing,
    twicePerHit: 1,
  },
  {
    name: "an answer without its end, by count",
    rule: { times: 5, fault: { kind: "hang", at: "answer" } },
    course: passing,
  },
  {
    name: "an answer that drips, by count",
    over: "any",
    rule: { times: 5, fault: { kind: "drip", bytesPerSecond: 2 } },
    course: passing,
  },
  {
    name: "a 503 that drips to all",
    takesDeadline: true,
    rule: { fault: { kind: "drip", status: 503, bytesPerSecond: 2 } },
    course: unavailable,
  },
];

const floods: Misbehaviour[] = [
  {
    name: "an endless body to all",
    rule: { fault: { kind: "endless-body" } },
    course: passing,
  },
  {
    name: "endless headers to all",
    rule: { fault: { kind: "endless-headers" } },
    course: unavailable,
  },
  {
    name: "endless headers, by count",
    over: "any",
    rule: { times: 10, fault: { kind: "endless-headers" } },
    course: passing,
  },
];

const breaks: Misbehaviour[] = [
  {
    name: "streams reset before the answer, all",
    rule: { fault: { kind: "reset", at: "request" } },
    course: unavailable,
  },
  {
    name: "streams refused, all",
    over: "any",
    rule: { fault: { kind: "reset", at: "request", code: "REFUSED_STREAM" } },
    course: unavailable,
  },
  {
    name: "streams refused, by share",
    over: "any",
    rule: { share: 0.3, fault: { kind: "reset", at: "request", code: "REFUSED_STREAM" } },
    course: passing,
  },
  {
    name: "streams reset with other codes, by script",
    over: "any",
    rule: {
      script: [
        { kind: "reset", at: "request", code: "CANCEL" },
        { kind: "reset", at: "request", code: "ENHANCE_YOUR_CALM" },
        { kind: "reset", at: "request", code: "HTTP_1_1_REQUIRED" },
        { kind: "reset", at: "request", code: "NO_ERROR" },
        { kind: "reset", at: "request", code: 4_000_000_000 },
      ],
    },
    course: passing,
  },
  {
    name: "taken and reset, by share",
    over: "any",
    rule: { share: 0.2, fault: { kind: "reset", at: "request", taken: true } },
    course: passing,
    twicePerHit: 1,
  },
  {
    name: "streams reset within the answer, by share",
    rule: { share: 0.3, fault: { kind: "reset", at: "answer" } },
    course: passing,
  },
  {
    name: "the connection cut, every time",
    rule: { fault: { kind: "hang-up" } },
    course: unavailable,
  },
  {
    name: "taken and the connection cut, by count",
    rule: { after: 20, times: 3, fault: { kind: "hang-up", taken: true } },
    course: rough,
    twicePerHit: streams,
  },
  {
    name: "connections refused",
    rule: { fault: { kind: "refuse-connections" } },
    course: unavailable,
  },
];

const sessions: Misbehaviour[] = [
  {
    name: "SETTINGS that shrink to one stream",
    rule: { after: 10, times: 1, fault: { kind: "settings", maxConcurrentStreams: 1 } },
    course: passing,
    over: "http2",
  },
  {
    name: "SETTINGS that shrink to none for good",
    rule: { after: 10, times: 1, fault: { kind: "settings", maxConcurrentStreams: 0 } },
    course: rough,
    over: "http2",
  },
  {
    name: "SETTINGS that shrink to none and grow again",
    known: true,
    rule: {
      script: [
        { kind: "settings", maxConcurrentStreams: 0 },
        ...repeated(30, "ok"),
        { kind: "settings", maxConcurrentStreams: 5 },
      ],
    },
    course: passing,
    over: "http2",
  },
  {
    name: "GOAWAY, by share",
    rule: { share: 0.1, fault: { kind: "goaway" } },
    course: rough,
  },
  {
    name: "GOAWAY with an error, by count",
    over: "any",
    rule: { after: 20, times: 3, fault: { kind: "goaway", code: "ENHANCE_YOUR_CALM" } },
    course: rough,
  },
  {
    name: "GOAWAY once",
    over: "any",
    rule: { after: 20, times: 1, fault: { kind: "goaway" } },
    course: passing,
  },
  {
    name: "GOAWAY that does not look at the request, by count",
    over: "any",
    rule: { after: 20, times: 5, fault: { kind: "goaway", lastStreamId: "previous" } },
    course: rough,
  },
  {
    name: "GOAWAY that looks at no request, all",
    rule: { fault: { kind: "goaway", lastStreamId: "previous" } },
    course: unavailable,
  },
];

export const misbehaviours: readonly Misbehaviour[] = [
  ...answers,
  ...refusals,
  ...silences,
  ...floods,
  ...breaks,
  ...sessions,
];
