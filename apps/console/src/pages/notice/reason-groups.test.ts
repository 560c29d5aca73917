import { expect, test } from "vitest";
import { causeOf, reasonGroups } from "./reason-groups.ts";

const none = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };

test("one reason is told once, with all its push services, and who is gone beside", () => {
  const common = { outcome: "retry", reason: "throttled" } as const;
  const groups = reasonGroups({
    counts: { ...none, gone: 9 },
    byPushService: [
      { pushService: "fcm", registrations: 90, counts: { ...none, gone: 9 }, unsent: 0 },
      { pushService: "apple", registrations: 9, counts: none, unsent: 0 },
    ],
    reasons: [
      { ...common, pushService: "fcm", detail: "slow", registrations: 4 },
      { ...common, pushService: "mozilla", detail: "", registrations: 3 },
      {
        outcome: "rejected",
        reason: "too-large",
        pushService: "fcm",
        detail: "",
        registrations: 8,
      },
    ],
  });
  expect(groups).toEqual([
    {
      outcome: "gone",
      reason: "gone",
      registrations: 9,
      byPushService: [{ pushService: "fcm", registrations: 9, detail: "" }],
    },
    {
      outcome: "rejected",
      reason: "too-large",
      registrations: 8,
      byPushService: [{ pushService: "fcm", registrations: 8, detail: "" }],
    },
    {
      ...common,
      registrations: 7,
      byPushService: [
        { pushService: "fcm", registrations: 4, detail: "slow" },
        { pushService: "mozilla", registrations: 3, detail: "" },
      ],
    },
  ]);
});

test.for([
  [
    "unavailable",
    "tls-failed: self-signed",
    { code: "tls-failed", detail: "self-signed", said: false },
  ],
  ["unavailable", "connect-failed", { code: "connect-failed", detail: "", said: false }],
  ["unavailable", "503 busy", { code: "unavailable", detail: "503 busy", said: true }],
  [
    "vapid-refused",
    "tls-failed: as if",
    { code: "vapid-refused", detail: "tls-failed: as if", said: true },
  ],
  ["keys-unusable", "p256dh", { code: "keys-unusable", detail: "p256dh", said: false }],
] as const)("behind %s with %j is %j", ([reason, detail, cause]) => {
  const known = new Set(["tls-failed", "connect-failed"]);
  expect(causeOf({ reason, detail }, (code) => known.has(code))).toEqual(cause);
});
