import { describe, expect, test } from "vitest";
import { outcomeOf, type Outcome } from "./outcome.ts";
import type { PushService } from "./push-hosts.ts";
import { throttleScope } from "./quirks.ts";

const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);
const services: readonly PushService[] = ["fcm", "mozilla", "apple", "windows", "other"];

type Answer = {
  readonly service: PushService;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const rejected = (reason: string, detail: string): object => ({
  kind: "rejected",
  reason,
  detail,
});
const later = (reason: string, aheadMs: number | null, detail = ""): object => ({
  kind: "retry",
  reason,
  notBefore: aheadMs === null ? null : nowMs + aheadMs,
  detail,
});
const mozillaSays = (code: number, errno: number, error: string): string =>
  JSON.stringify({ code, errno, error });

describe("what it means when", () => {
  test.each<[string, Answer, object]>([
    [
      "FCM says 403, key mismatch: our mistake",
      {
        service: "fcm",
        status: 403,
        body: "the key in the authorization header does not correspond to the sender ID",
      },
      rejected(
        "vapid-refused",
        "the key in the authorization header does not correspond to the sender ID",
      ),
    ],
    [
      "FCM says 404, stale registration: gone",
      { service: "fcm", status: 404, body: "push subscription has unsubscribed or expired" },
      { kind: "gone", status: 404 },
    ],
    [
      "FCM says 429 with Retry-After, to a site that few people look at: throttled",
      { service: "fcm", status: 429, headers: { "retry-after": "60" }, body: "Too Many Requests" },
      later("throttled", 60_000, "Too Many Requests"),
    ],
    [
      "Mozilla says 400 errno 111, TTL missing: refused",
      { service: "mozilla", status: 400, body: mozillaSays(400, 111, "Missing TTL header") },
      rejected("request-refused", mozillaSays(400, 111, "Missing TTL header")),
    ],
    [
      "Mozilla says 401 errno 109, aud or exp wrong: our mistake",
      { service: "mozilla", status: 401, body: mozillaSays(401, 109, "Invalid authentication") },
      rejected("vapid-refused", mozillaSays(401, 109, "Invalid authentication")),
    ],
    [
      "Mozilla says 404 errno 102, no such endpoint: gone",
      { service: "mozilla", status: 404, body: mozillaSays(404, 102, "Not Found") },
      { kind: "gone", status: 404 },
    ],
    ...[103, 105, 106].map((errno): [string, Answer, object] => [
      `Mozilla says 410 errno ${errno}: gone`,
      { service: "mozilla", status: 410, body: mozillaSays(410, errno, "Gone") },
      { kind: "gone", status: 410 },
    ]),
    [
      "Mozilla says 413, Firefox for Android cannot take so much: too large, and why is kept",
      { service: "mozilla", status: 413, body: mozillaSays(413, 104, "Payload Too Large") },
      rejected("too-large", mozillaSays(413, 104, "Payload Too Large")),
    ],
    [
      "Mozilla says 503 with Retry-After 120",
      {
        service: "mozilla",
        status: 503,
        headers: { "retry-after": "120" },
        body: mozillaSays(503, 201, "Use exponential back-off"),
      },
      later("service-unavailable", 120_000, mozillaSays(503, 201, "Use exponential back-off")),
    ],
    [
      "Apple says 403 BadJwtToken: our mistake",
      { service: "apple", status: 403, body: '{"reason":"BadJwtToken"}' },
      rejected("vapid-refused", '{"reason":"BadJwtToken"}'),
    ],
    [
      "Apple says 400 VapidPkHashMismatch: our mistake, though it is a 400",
      { service: "apple", status: 400, body: '{"reason":"VapidPkHashMismatch"}' },
      rejected("vapid-refused", '{"reason":"VapidPkHashMismatch"}'),
    ],
    [
      "Apple says 400 BadWebPushTopic: refused, and not for the key",
      { service: "apple", status: 400, body: '{"reason":"BadWebPushTopic"}' },
      rejected("request-refused", '{"reason":"BadWebPushTopic"}'),
    ],
    [
      "Apple says 429, this device has had too many",
      { service: "apple", status: 429, body: '{"reason":"TooManyRequests"}' },
      later("throttled", null, '{"reason":"TooManyRequests"}'),
    ],
    [
      "Windows says 406, as it always did: throttled, and why stands in headers alone",
      {
        service: "windows",
        status: 406,
        headers: {
          "x-wns-notificationstatus": "channelthrottled",
          "x-wns-error-description": "Channel\u0007Throttled",
        },
      },
      later("throttled", null, "Channel Throttled channelthrottled"),
    ],
    [
      "Windows says 429, as it does nowadays: throttled, and why stands in headers alone",
      {
        service: "windows",
        status: 429,
        headers: { "x-wns-status": "dropped", "retry-after": "3600" },
      },
      later("throttled", 3_600_000, "dropped"),
    ],
    [
      "Windows says 400, and why stands in headers alone",
      {
        service: "windows",
        status: 400,
        headers: { "x-wns-error-description": "Invalid cache policy" },
      },
      rejected("request-refused", "Invalid cache policy"),
    ],
    [
      "anybody else says 406: refused, and its X-WNS headers mean nothing",
      { service: "fcm", status: 406, headers: { "x-wns-status": "dropped" } },
      rejected("request-refused", ""),
    ],
  ])("%s", (_what, { headers = {}, body = "", ...answer }, expected) => {
    const outcome: Outcome = outcomeOf({ ...answer, headers, body: Buffer.from(body) }, nowMs);
    expect(outcome).toEqual({ status: answer.status, ...expected });
  });

  // Only 404 and 410 end a subscription, whatever is said with it.
  test.each(services)("%s says anything but 404 and 410: the subscription stays", (service) => {
    const gone: number[] = [];
    for (let status = 100; status < 1000; status += 1) {
      const body = Buffer.from("gone expired unregistered NotRegistered");
      if (outcomeOf({ service, status, headers: {}, body }, nowMs).kind === "gone") {
        gone.push(status);
      }
    }
    expect(gone).toEqual([404, 410]);
  });
});

test("a throttle concerns one device at Apple, and the whole sender elsewhere", () => {
  expect(Object.fromEntries(services.map((each) => [each, throttleScope(each)]))).toEqual({
    fcm: "sender",
    mozilla: "sender",
    apple: "device",
    windows: "sender",
    other: "sender",
  });
});
