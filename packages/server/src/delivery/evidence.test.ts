import { describe, expect, test } from "vitest";
import { acceptedOutcome, goneOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome, RejectedReason, RetryReason } from "../webpush/outcome.ts";
import type { PushService } from "../webpush/push-hosts.ts";
import { createEvidence, readOutcome, type Evidence } from "./evidence.ts";

const retry = (reason: RetryReason, status?: number, notBefore: number | null = null): Outcome => ({
  kind: "retry",
  reason,
  notBefore,
  detail: "said so",
  ...(status === undefined ? {} : { status }),
});
const rejected = (reason: RejectedReason, status = 400): Outcome => ({
  kind: "rejected",
  reason,
  status,
  detail: "said so",
});
const keyRefused = rejected("vapid-refused", 403);

const readings: [Outcome, PushService, ReturnType<typeof readOutcome>][] = [
  [acceptedOutcome, "fcm", "works"],
  [goneOutcome, "fcm", "works"],
  [rejected("too-large", 413), "mozilla", "works"],
  [{ kind: "failed", reason: "keys-unusable", detail: "" }, "fcm", "nothing"],
  [retry("sender-closed"), "fcm", "nothing"],
  [retry("sender-failed"), "fcm", "nothing"],
  [retry("queue-full"), "fcm", "nothing"],
  [retryOutcome(77), "apple", "nothing"],
  [retryOutcome(77), "fcm", { reason: "throttled", detail: "slow down", notBeforeMs: 77 }],
  [keyRefused, "fcm", { reason: "vapid-refused", detail: "said so", notBeforeMs: null }],
  [
    rejected("redirect", 302),
    "fcm",
    { reason: "refuses-all", detail: "302 said so", notBeforeMs: null },
  ],
  [
    retry("service-unavailable", 503),
    "apple",
    { reason: "unavailable", detail: "503 said so", notBeforeMs: null },
  ],
  [
    retry("service-unavailable", 503, 77),
    "fcm",
    { reason: "unavailable", detail: "503 said so", notBeforeMs: 77 },
  ],
  [
    retry("queue-timed-out"),
    "fcm",
    { reason: "unavailable", detail: "queue-timed-out: said so", notBeforeMs: null },
  ],
  [
    retry("answer-timed-out"),
    "fcm",
    { reason: "unavailable", detail: "answer-timed-out: said so", notBeforeMs: null },
  ],
  [
    { kind: "retry", reason: "connect-timed-out", notBefore: null, detail: "" },
    "fcm",
    { reason: "unavailable", detail: "connect-timed-out", notBeforeMs: null },
  ],
];

test.for(readings)("%j at %s", ([outcome, service, expected]) => {
  expect(readOutcome(outcome, service)).toEqual(expected);
});

const to = (registrationId: number) => ({ registrationId, refusedAtMs: null });

/** Notes that a push to another registration each time ended so, at time 1, 2, ... */
function noting(evidence: Evidence): (outcome: Outcome) => void {
  let registrationId = 0;
  return (outcome) => {
    registrationId += 1;
    evidence.note(outcome, to(registrationId), registrationId);
  };
}

/** How many of these outcomes in a row are taken until it is enough; null if it never is. */
function enoughOf(outcomes: Iterable<Outcome>, service: PushService = "fcm"): number | null {
  const evidence = createEvidence(service);
  const note = noting(evidence);
  let noted = 0;
  for (const outcome of outcomes) {
    note(outcome);
    noted += 1;
    if (evidence.isOpen()) return noted;
  }
  return null;
}

const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe("a destination is left alone", () => {
  test.for<[string, Outcome, number]>([
    ["a key that is refused", keyRefused, 3],
    ["a throttle", retryOutcome(), 10],
    ["5xx", retry("service-unavailable", 503), 20],
    ["no answers", retry("connect-failed"), 20],
    ["refusals of another kind", rejected("request-refused"), 20],
  ])("after %s so often in a row", ([, outcome, count]) => {
    expect(enoughOf(times(100, outcome))).toBe(count);
  });

  test.for<[string, Outcome, number]>([
    ["a key that is refused", keyRefused, 50],
    ["refusals of another kind", rejected("request-refused"), 50],
    ["a throttle", retryOutcome(), 10],
    ["no answers", retry("connect-failed"), 20],
  ])(
    "after %s more often, if at all, where something was accepted before",
    ([, outcome, count]) => {
      const known = createEvidence("fcm", true);
      for (let id = 1; id < count; id += 1) known.note(outcome, to(id), 1);
      known.pageEnded();
      expect(known.isOpen()).toBe(false);
      known.note(outcome, to(count), 1);
      expect(known.isOpen()).toBe(true);
      expect(enoughOf([acceptedOutcome, ...times(100, outcome)])).toBe(1 + count);
    },
  );

  test("not for those who were refused before, who are told of all the same", () => {
    const evidence = createEvidence("fcm");
    const known = (registrationId: number) => ({ registrationId, refusedAtMs: 1 });
    for (let id = 1; id < 100; id += 1) {
      evidence.note(rejected("request-refused"), known(id), 1);
      evidence.note(keyRefused, known(id), 1);
    }
    evidence.pageEnded();
    expect(evidence.isOpen()).toBe(false);
    expect(evidence.takeWarning()).toMatchObject({ reason: "vapid-refused" });
    for (let id = 1; id <= 20; id += 1) evidence.note(retry("connect-failed"), known(id), 1);
    expect(evidence.isOpen()).toBe(true);
  });

  test("not if anything works between, be it a refusal of one message for its size", () => {
    for (const works of [acceptedOutcome, goneOutcome, rejected("too-large", 413)]) {
      const mixed = Array.from({ length: 20 }, () => [...times(2, keyRefused), works]).flat();
      expect(enoughOf(mixed)).toBeNull();
    }
  });

  test("what says nothing neither counts nor ends a row", () => {
    const mixed = Array.from({ length: 40 }, () => [
      retry("connect-failed"),
      retry("sender-closed"),
    ]);
    expect(enoughOf(mixed.flat())).toBe(39);
    expect(enoughOf(times(1_000, retry("queue-full")))).toBeNull();
  });

  test("not for Apple's throttle, which is one device's", () => {
    expect(enoughOf(times(1_000, retryOutcome()), "apple")).toBeNull();
  });

  test("not for one registration alone, however often it is tried", () => {
    const evidence = createEvidence("fcm");
    for (let time = 1; time < 100; time += 1) evidence.note(keyRefused, to(7), time);
    expect(evidence.isOpen()).toBe(false);
  });

  test("with the reason that was enough, told once", () => {
    const evidence = createEvidence("fcm");
    const note = noting(evidence);
    for (const outcome of times(19, retry("connect-failed"))) note(outcome);
    expect(evidence.takeVerdict()).toBeNull();
    for (const outcome of times(3, keyRefused)) note(outcome);
    note(retryOutcome());
    expect(evidence.takeVerdict()).toMatchObject({ reason: "vapid-refused", detail: "said so" });
    expect(evidence.takeVerdict()).toBeNull();
    note(acceptedOutcome);
    expect(evidence.isOpen()).toBe(true);
  });
});

describe("the end of a page", () => {
  test("a key that was refused once and never accepted is enough", () => {
    const evidence = createEvidence("fcm");
    evidence.note(keyRefused, to(1), 1);
    expect(evidence.isOpen()).toBe(false);
    evidence.pageEnded();
    expect(evidence.takeVerdict()).toMatchObject({ reason: "vapid-refused" });
  });

  test("not if it was accepted for somebody, nor for other troubles", () => {
    const accepted = createEvidence("fcm");
    accepted.note(acceptedOutcome, to(1), 1);
    accepted.note(keyRefused, to(2), 2);
    accepted.pageEnded();
    expect(accepted.isOpen()).toBe(false);
    const down = createEvidence("fcm");
    down.note(retry("connect-failed"), to(1), 1);
    down.pageEnded();
    expect(down.isOpen()).toBe(false);
  });

  test.for<[string, Outcome]>([
    ["another trouble", retry("connect-failed")],
    ["somebody who is gone", goneOutcome],
  ])("not if the last of it was %s", ([, outcome]) => {
    const evidence = createEvidence("fcm");
    evidence.note(keyRefused, to(1), 1);
    evidence.note(outcome, to(2), 2);
    evidence.pageEnded();
    expect(evidence.isOpen()).toBe(false);
  });
});

describe("warns of what is not enough to leave a destination alone", () => {
  const failed = (detail: string): Outcome => ({
    kind: "retry",
    reason: "tls-failed",
    notBefore: null,
    detail,
  });

  test("at the end of a page, once, with the cause of the last one", () => {
    const evidence = createEvidence("fcm");
    evidence.note(failed("first"), to(1), 1);
    evidence.note(failed("unable to verify the first certificate"), to(2), 1);
    expect(evidence.takeWarning()).toBeNull();
    evidence.pageEnded();
    expect(evidence.takeWarning()).toEqual({
      reason: "unavailable",
      detail: "tls-failed: unable to verify the first certificate",
      registrations: 2,
    });
    evidence.note(failed("again"), to(1), 2);
    evidence.pageEnded();
    expect(evidence.takeWarning()).toBeNull();
  });

  test("where it had worked, after some attempts in vain; and anew once it has worked again", () => {
    const evidence = createEvidence("fcm");
    const page = (outcome: Outcome) => {
      evidence.note(outcome, to(1), 1);
      evidence.pageEnded();
      return evidence.takeWarning() !== null;
    };
    expect(page(acceptedOutcome)).toBe(false);
    expect([1, 2, 3, 4].map(() => page(failed("")))).toEqual([false, false, true, false]);
    expect(page(acceptedOutcome)).toBe(false);
    expect([1, 2, 3, 4].map(() => page(failed("")))).toEqual([false, false, true, false]);
  });

  test("not of what the breaker tells", () => {
    const evidence = createEvidence("fcm");
    for (const id of [1, 2, 3]) evidence.note(keyRefused, to(id), 1);
    evidence.pageEnded();
    expect(evidence.takeWarning()).toBeNull();
    expect(evidence.takeVerdict()).not.toBeNull();
  });
});

test("tells whether the key was accepted since a time", () => {
  const evidence = createEvidence("fcm");
  expect(evidence.hasAcceptedSince(0)).toBe(false);
  evidence.note(goneOutcome, to(1), 4);
  expect(evidence.hasAcceptedSince(0)).toBe(false);
  evidence.note(acceptedOutcome, to(2), 5);
  expect([4, 5, 6].map((time) => evidence.hasAcceptedSince(time))).toEqual([true, true, false]);
});
