import { describe, expect, test } from "vitest";
import { failedReasons, outcomeOf, printable, rejectedReasons, retryReasons } from "./outcome.ts";
import type { PushAnswer } from "./push-answer.ts";

const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);

function answer(
  status: number,
  rest: Partial<Omit<PushAnswer, "body">> & { body?: string } = {},
): PushAnswer {
  return {
    service: "fcm",
    status,
    headers: {},
    ...rest,
    body: Buffer.from(rest.body ?? ""),
  };
}

const retryAfter = { headers: { "retry-after": "120" } };

describe("outcomeOf", () => {
  test.each([200, 201, 202, 204])("%i is accepted", (status) => {
    expect(outcomeOf(answer(status), nowMs)).toEqual({ kind: "accepted", status });
  });

  test.each([
    [429, "throttled"],
    [408, "service-timed-out"],
    [500, "service-unavailable"],
    [502, "service-unavailable"],
    [503, "service-unavailable"],
    [599, "service-unavailable"],
  ])("%i is tried again: %s", (status, reason) => {
    const body = "later, please";
    expect(outcomeOf(answer(status, { ...retryAfter, body }), nowMs)).toEqual({
      kind: "retry",
      reason,
      notBefore: nowMs + 120_000,
      status,
      detail: body,
    });
    expect(outcomeOf(answer(status), nowMs)).toMatchObject({ kind: "retry", notBefore: null });
  });

  test.each([
    [401, "mozilla", '{"code":401,"errno":109,"error":"Unauthorized"}', "vapid-refused"],
    [403, "fcm", "key mismatch", "vapid-refused"],
    [403, "apple", '{"reason":"BadJwtToken"}', "vapid-refused"],
    [403, "apple", "", "vapid-refused"],
    [400, "apple", '{"reason":"VapidPkHashMismatch"}', "vapid-refused"],
    [400, "fcm", "UnauthorizedRegistration", "vapid-refused"],
    [400, "fcm", "the key in the authorization header does not fit the sender ID", "vapid-refused"],
    [400, "mozilla", "Invalid crypto-key header", "vapid-refused"],
    [400, "mozilla", '{"code":400,"errno":111,"message":"Missing TTL"}', "request-refused"],
    [400, "apple", '{"reason":"BadWebPushTopic"}', "request-refused"],
    [400, "fcm", "", "request-refused"],
    [413, "mozilla", "too big", "too-large"],
    [402, "fcm", "", "request-refused"],
    [405, "fcm", "", "request-refused"],
    [422, "fcm", "", "request-refused"],
    [499, "fcm", "", "request-refused"],
    [301, "fcm", "", "redirect"],
    [302, "fcm", "", "redirect"],
    [304, "fcm", "", "redirect"],
    [308, "fcm", "", "redirect"],
    [206, "fcm", "", "unexpected-status"],
    [299, "fcm", "", "unexpected-status"],
    [600, "fcm", "", "unexpected-status"],
  ] as const)("%i from %s saying %j is %4$s", (status, service, body, reason) => {
    expect(outcomeOf(answer(status, { service, body, ...retryAfter }), nowMs)).toEqual({
      kind: "rejected",
      reason,
      status,
      detail: body,
    });
  });
});

describe("printable", () => {
  test("is one short line without control characters, whatever comes in", () => {
    expect(printable("a\r\n\u001B[31mb\u202Ec\u0000\uFFFD  d\u2028")).toBe("a [31mb c d");
    expect(printable("é 😀")).toBe("é 😀");
    expect(printable("x".repeat(10_000))).toHaveLength(200);
    expect(printable(`${"x".repeat(199)}😀`).isWellFormed()).toBe(true);
  });

  test("is what a binary body becomes", () => {
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x1b, 0x5b]);
    const outcome = outcomeOf({ ...answer(400), body }, nowMs);
    expect(outcome).toMatchObject({ kind: "rejected", detail: "A [" });
  });
});

test("every reason is a stable code in kebab-case and says what it means", () => {
  for (const [code, meaning] of Object.entries({
    ...retryReasons,
    ...rejectedReasons,
    ...failedReasons,
  })) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(meaning.length).toBeGreaterThan(10);
  }
});
