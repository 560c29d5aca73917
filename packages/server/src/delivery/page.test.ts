import { describe, expect, test } from "vitest";
import type { Delivered } from "../store/port.ts";
import { acceptedOutcome, goneOutcome, retryOutcome, testMessage } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { createEvidence } from "./evidence.ts";
import { sendPage, type Page, type SendPush } from "./page.ts";

const pushOrigin = "https://fcm.googleapis.com";

function turnsOf(count: number, attempts = 0, generation = 1, refusedAtMs: number | null = null) {
  return Array.from({ length: count }, (_, index) => ({
    recipient: {
      registrationId: index + 1,
      token: "",
      generation,
      endpoint: `${pushOrigin}/${index}`,
      p256dh: "",
      auth: "",
      vapidKeyId: 1,
      pushOrigin,
      origin: "https://site.example",
      refusedAtMs,
    },
    attempts,
    firstTriedAtMs: attempts === 0 ? null : 0,
    triedAtMs: 0,
  }));
}

const to = (registrationId: number) => ({ registrationId, refusedAtMs: null });

const retry = (reason: (Outcome & { kind: "retry" })["reason"]): Outcome => ({
  kind: "retry",
  reason,
  notBefore: null,
  detail: "",
});
const keyRefused: Outcome = { kind: "rejected", reason: "vapid-refused", status: 403, detail: "" };

type Options = {
  count?: number;
  attempts?: number;
  concurrency?: number;
  nowMs?: number;
  random?: number;
  generation?: number;
  refusedAtMs?: number;
  madeUp?: Page["madeUp"];
  evidence?: ReturnType<typeof createEvidence>;
  ending?: AbortController;
  left?: ReadonlySet<number>;
  isCancelled?: boolean;
};

/** Sends a page, and says to whom, when their TTL ends, and what came of it. */
async function page(
  answer: (registrationId: number) => Outcome | Promise<Outcome>,
  options: Options = {},
) {
  const { count = 1, attempts = 0, concurrency = 1, nowMs = 0 } = options;
  const { random = 0, generation = 1 } = options;
  const { evidence = createEvidence("fcm", true), ending = new AbortController() } = options;
  const sentTo: number[] = [];
  const ends = new Set<number>();
  const send: SendPush = async (_message, { registrationId }, endsAtMs) => {
    sentTo.push(registrationId);
    ends.add(endsAtMs);
    return answer(registrationId);
  };
  const slots = { concurrency, unprovenSlots: concurrency, lookups: concurrency };
  const parts = { ...slots, send, now: () => nowMs, random: () => random };
  const turns = turnsOf(count, attempts, generation, options.refusedAtMs ?? null);
  const { madeUp = new Map() } = options;
  const work = { message: testMessage(), turns, endsAtMs: 60_000, madeUp, isProbe: false };
  const { left = new Set(), isCancelled = false } = options;
  const { lanes, delivered } = sendPage(work, () => evidence, { ending, left, isCancelled }, parts);
  await lanes.ended();
  evidence.pageEnded();
  return { sentTo, ends: [...ends], delivered: delivered(pushOrigin), evidence };
}

const idsOf = (delivered: readonly Delivered[]) =>
  delivered.map(({ registrationId }) => registrationId).toSorted((a, b) => a - b);

describe("a page", () => {
  test("goes to everybody on it, with the end of their TTL", async () => {
    const { sentTo, ends, delivered } = await page(() => acceptedOutcome, {
      count: 30,
      concurrency: 7,
    });
    expect(sentTo).toEqual(turnsOf(30).map(({ recipient }) => recipient.registrationId));
    expect(ends).toEqual([60_000]);
    expect(delivered).toHaveLength(30);
  });

  test("stops where its destination had better be left alone, without a gap", async () => {
    const deadline = Promise.withResolvers<void>();
    let inFlight = 0;
    const { sentTo, delivered } = await page(
      async () => {
        inFlight += 1;
        if (inFlight === 100) deadline.resolve();
        await deadline.promise;
        return retry("answer-timed-out");
      },
      { count: 500, concurrency: 100 },
    );
    // Those in flight, and the few that took a place before enough had been counted.
    expect(sentTo.length).toBeGreaterThanOrEqual(100);
    expect(sentTo.length).toBeLessThan(120);
    expect(idsOf(delivered)).toEqual(sentTo);
    expect(sentTo.at(-1)).toBe(sentTo.length);
  });

  test("another turn at the same destination stops it, too", async () => {
    const evidence = createEvidence("fcm");
    const { sentTo } = await page(
      (id) => {
        if (id === 4) {
          for (let other = 100; other < 110; other += 1)
            evidence.note(retryOutcome(), to(other), 0);
        }
        return acceptedOutcome;
      },
      { count: 10, evidence },
    );
    expect(sentTo).toEqual([1, 2, 3, 4]);
  });

  test("a stop takes nobody new", async () => {
    const stopping = new AbortController();
    const { sentTo, delivered } = await page(
      (id) => {
        if (id === 3) stopping.abort();
        return acceptedOutcome;
      },
      { count: 10, ending: stopping },
    );
    expect(sentTo).toEqual([1, 2, 3]);
    expect(idsOf(delivered)).toEqual([1, 2, 3]);
  });
});

test.each([
  ["sender-closed", false],
  ["sender-failed", true],
  ["queue-full", false],
  ["queue-timed-out", false],
  ["answer-timed-out", true],
  ["connect-failed", true],
  ["throttled", true],
] as const)("%s counts as an attempt: %s", async (reason, counted) => {
  const { delivered } = await page(() => retry(reason), { attempts: 3 });
  const what = { registrationId: 1, generation: 1, pushOrigin, reason, detail: "" };
  expect(delivered).toEqual([{ ...what, kind: "retry", dueAtMs: 16_000, setAtMs: 0, counted }]);
});

test("a retry comes back at a time of its own, and not before it was asked to", async () => {
  const retryAt = async (outcome: Outcome, random: number) =>
    (await page(() => outcome, { random })).delivered;
  expect(await retryAt(retryOutcome(), 0.5)).toMatchObject([{ dueAtMs: 1_500 }]);
  expect(await retryAt(retryOutcome(30_000), 0)).toMatchObject([{ dueAtMs: 30_000 }]);
});

test.for<[string, Outcome]>([
  ["accepted", acceptedOutcome],
  ["gone", goneOutcome],
  ["rejected", { kind: "rejected", reason: "too-large", status: 413, detail: "" }],
  ["failed", { kind: "failed", reason: "keys-unusable", detail: "" }],
  ["retry", retryOutcome()],
])("what is %s is of the generation that was sent to", async ([kind, outcome]) => {
  const { delivered } = await page(() => outcome, { generation: 3 });
  expect(delivered).toMatchObject([{ kind, registrationId: 1, generation: 3 }]);
});

test("a retry that would come after the TTL has failed", async () => {
  const { delivered } = await page(() => retryOutcome(), { attempts: 3, nowMs: 45_000 });
  expect(delivered).toMatchObject([{ kind: "failed", reason: "throttled" }]);
});

test.for<[Outcome, number | undefined, boolean | undefined]>([
  [acceptedOutcome, undefined, undefined],
  [acceptedOutcome, 5, false],
  [keyRefused, undefined, true],
  [keyRefused, 5, true],
  [{ kind: "rejected", reason: "request-refused", status: 400, detail: "" }, undefined, true],
  [{ kind: "rejected", reason: "too-large", status: 413, detail: "" }, undefined, undefined],
  [{ kind: "failed", reason: "keys-unusable", detail: "" }, undefined, undefined],
  [retryOutcome(), 5, undefined],
  [goneOutcome, 5, undefined],
])("%j of one refused since %s: kept with it: %s", async ([outcome, refusedAtMs, expected]) => {
  const options = refusedAtMs === undefined ? {} : { refusedAtMs };
  const { delivered } = await page(() => outcome, options);
  expect(delivered.map(({ refused }) => refused)).toEqual([expected]);
});

describe("a key that is refused", () => {
  test("ends nobody and rejects nobody: all come again, and it was no attempt", async () => {
    const { delivered, evidence } = await page(() => keyRefused, {
      count: 2,
      attempts: 10,
      evidence: createEvidence("fcm"),
    });
    expect(delivered).toMatchObject([
      { kind: "retry", reason: "vapid-refused", counted: false },
      { kind: "retry", reason: "vapid-refused", counted: false },
    ]);
    expect(evidence.takeVerdict()).toMatchObject({ reason: "vapid-refused" });
  });

  test("for one registration alone is an attempt, and the third of them is believed", async () => {
    const answer = (id: number) => (id === 2 ? keyRefused : acceptedOutcome);
    for (const attempts of [0, 1]) {
      const { delivered, evidence } = await page(answer, { count: 3, attempts });
      expect(delivered[1]).toMatchObject({ kind: "retry", counted: true });
      expect(evidence.takeVerdict()).toBeNull();
    }
    const { delivered } = await page(answer, { count: 3, attempts: 2 });
    expect(delivered[1]).toMatchObject({ kind: "rejected", reason: "vapid-refused" });
  });

  test("is no attempt where nothing was accepted since it was refused before", async () => {
    const evidence = createEvidence("fcm");
    evidence.note(acceptedOutcome, to(9), -1);
    const { delivered } = await page(() => keyRefused, { evidence, attempts: 2 });
    expect(delivered).toMatchObject([{ kind: "retry", counted: false }]);
  });

  test("is told apart from a registration that is gone", async () => {
    const { delivered } = await page(() => goneOutcome);
    expect(delivered).toEqual([{ registrationId: 1, generation: 1, pushOrigin, kind: "gone" }]);
  });
});
