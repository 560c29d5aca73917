import { describe, expect, test } from "vitest";
import type { Message, Recipient } from "../store/port.ts";
import { acceptedOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { sendPage, type SendPush } from "./page.ts";
import { createSilence } from "./silence.ts";

const hung = "https://hung.example";
const well = "https://well.example";

const message: Message = {
  id: "m1",
  projectId: 1,
  target: { kind: "all" },
  notification: { title: "x" },
  ttlSeconds: 60,
  urgency: "normal",
  scheduledAtMs: 0,
  state: "sending",
  watermark: 1_000,
  cursor: 0,
  counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
  receipts: { displayed: 0, clicked: 0, closed: 0 },
};

function turnsAt(...origins: string[]) {
  return origins.map((pushOrigin, index) => ({
    recipient: recipient(index, pushOrigin),
    attempts: 3,
  }));
}

function recipient(registrationId: number, pushOrigin: string): Recipient {
  const endpoint = `${pushOrigin}/${registrationId}`;
  const keys = { p256dh: "", auth: "", vapidKeyId: 1 };
  return { registrationId, token: "", generation: 1, endpoint, ...keys, pushOrigin, origin: well };
}

function retry(reason: (Outcome & { kind: "retry" })["reason"]): Outcome {
  return { kind: "retry", reason, notBefore: null, detail: "" };
}

const times = (count: number, origin: string) => Array.from({ length: count }, () => origin);

/** Sends a page and says whom it sent to and what came of it. */
async function page(
  origins: string[],
  answer: (pushOrigin: string, call: number) => Outcome | Promise<Outcome>,
  { concurrency = 1, nowMs = 0 } = {},
) {
  const sentTo: string[] = [];
  const send: SendPush = async (_message, { pushOrigin }) => {
    sentTo.push(pushOrigin);
    return answer(pushOrigin, sentTo.length);
  };
  const parts = { send, concurrency, now: () => nowMs, random: () => 0 };
  const delivered = await sendPage(message, turnsAt(...origins), createSilence(), parts);
  const sent = (origin: string) => sentTo.filter((each) => each === origin).length;
  return { sent, delivered };
}

describe("a push service that does not answer", () => {
  test.each([
    "answer-timed-out",
    "connect-timed-out",
    "connect-failed",
    "queue-timed-out",
  ] as const)(
    "%s: after ten in a row the rest of the page is not sent to it, and comes back later",
    async (reason) => {
      const origins = [
        ...times(15, hung),
        ...times(5, well),
        ...times(15, hung),
        ...times(5, well),
      ];
      const { sent, delivered } = await page(origins, (origin) =>
        origin === hung ? retry(reason) : acceptedOutcome,
      );
      expect(sent(hung)).toBe(10);
      expect(sent(well)).toBe(10);
      expect(delivered).toHaveLength(40);
      const skipped = delivered.filter(
        (each) => each.kind === "retry" && each.reason === "push-service-silent",
      );
      expect(skipped).toHaveLength(20);
      // No attempt: the pause after the fourth attempt is due, and the count stays.
      expect(skipped[0]).toMatchObject({ kind: "retry", counted: false, dueAtMs: 16_000 });
    },
  );

  test("holds a page up for one deadline: who is in flight then was the last", async () => {
    const deadline = Promise.withResolvers<void>();
    const running = page(
      times(500, hung),
      async (_origin, call) => {
        if (call === 100) deadline.resolve();
        await deadline.promise;
        return retry("answer-timed-out");
      },
      { concurrency: 100 },
    );
    const { sent, delivered } = await running;
    // Those of the first deadline, and the few that took a place before ten had been counted.
    expect(sent(hung)).toBeLessThan(110);
    expect(delivered).toHaveLength(500);
  });

  test("one answer between, even a refusal, and it is alive", async () => {
    const answers = [retryOutcome(), acceptedOutcome, { kind: "gone", status: 410 } as const];
    for (const answer of answers) {
      const { sent } = await page(times(60, hung), (_origin, call) =>
        call % 10 === 0 ? answer : retry("answer-timed-out"),
      );
      expect(sent(hung)).toBe(60);
    }
  });

  test("what ended on our own side says nothing of it", async () => {
    const own = [
      retry("sender-closed"),
      retry("queue-full"),
      { kind: "failed", reason: "keys-unusable", detail: "" } as const,
    ];
    for (const outcome of own) {
      expect((await page(times(30, hung), () => outcome)).sent(hung)).toBe(30);
      // Nor does it end a row.
      const mixed = await page(times(60, hung), (_origin, call) =>
        call % 3 === 0 ? outcome : retry("connect-failed"),
      );
      expect(mixed.sent(hung)).toBe(14);
    }
  });
});

test.each([
  ["sender-closed", false],
  ["queue-full", false],
  ["queue-timed-out", false],
  ["answer-timed-out", true],
  ["connect-failed", true],
  ["throttled", true],
] as const)("%s counts as an attempt: %s", async (reason, counted) => {
  const { delivered } = await page([well], () => retry(reason));
  expect(delivered).toEqual([
    {
      registrationId: 0,
      generation: 1,
      kind: "retry",
      reason,
      detail: "",
      dueAtMs: 16_000,
      counted,
    },
  ]);
});

test("a retry that would come after the TTL has failed", async () => {
  const { delivered } = await page([well], () => retry("throttled"), { nowMs: 45_000 });
  expect(delivered).toMatchObject([{ kind: "failed", reason: "throttled" }]);
});
