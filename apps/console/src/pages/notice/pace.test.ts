import type { MessageProgress } from "@sineta/protocol";
import { describe, expect, test } from "vitest";
import { noFigures } from "../../test/no-figures.ts";
import {
  averagePace,
  outlookOf,
  paceOf,
  roughly,
  shownPace,
  withSample,
  type Sample,
} from "./pace.ts";

const none = noFigures.counts;

const progress = (over: Partial<MessageProgress> = {}): MessageProgress => ({
  id: "0199c0de-0000-7000-8000-000000000000",
  state: "sending",
  target: { kind: "all" },
  notification: { title: "Olá" },
  ttlSeconds: 60,
  urgency: "normal",
  scheduleAt: "2026-01-01T00:00:00Z",
  createdAt: "2026-01-01T00:00:00Z",
  ...noFigures,
  audience: { registrations: 1_000, complete: true },
  counts: { ...none, accepted: 100 },
  unsent: 900,
  ...over,
});

const collected = (...all: [atMs: number, handled: number][]) =>
  all.reduce<readonly Sample[]>(
    (samples, [atMs, handled]) => withSample(samples, { atMs, handled }),
    [],
  );

describe("the pace", () => {
  test.for<[samples: [number, number][], pace: number | null]>([
    [[], null],
    [[[0, 0]], null],
    [
      [
        [0, 0],
        [1_999, 500],
      ],
      null,
    ],
    [
      [
        [0, 0],
        [2_000, 500],
      ],
      250,
    ],
    [
      [
        [0, 0],
        [1_000, 100],
        [4_000, 400],
      ],
      100,
    ],
    // It stands still.
    [
      [
        [0, 70],
        [5_000, 70],
      ],
      0,
    ],
    // Only the last seconds count.
    [
      [
        [0, 0],
        [10_000, 100_000],
        [20_000, 100_100],
        [25_000, 100_150],
      ],
      10,
    ],
    // What came late, or twice.
    [
      [
        [0, 0],
        [4_000, 400],
        [4_000, 900],
        [3_000, 1],
      ],
      100,
    ],
  ])("of %j is %j", ([samples, pace]) => {
    expect(paceOf(collected(...samples))).toBe(pace);
  });

  test("over the whole way counts all that have their outcome, from the start to the end", () => {
    const counts = { accepted: 80, gone: 10, retry: 7, rejected: 5, failed: 5 };
    const [startedAt, endedAt] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:10Z"];
    expect(averagePace(progress({ counts, startedAt, endedAt }))).toBe(10);
    expect(averagePace(progress({ counts, startedAt }))).toBeNull();
    expect(averagePace(progress({ counts, startedAt, endedAt: startedAt }))).toBeNull();
    const muchLater = "2026-01-02T00:00:00Z";
    expect(averagePace(progress({ counts, startedAt, endedAt: muchLater }))).toBeNull();
  });
});

describe("what is said of the end", () => {
  test.for<[over: Partial<MessageProgress>, pace: number | null, outlook: object]>([
    [{}, 90, { kind: "seconds", seconds: 10 }],
    [{}, null, { kind: "unknown" }],
    [{}, 0, { kind: "unknown" }],
    [{ audience: { registrations: 1_000, complete: false } }, 90, { kind: "unknown" }],
    [{ unsent: 0, counts: { ...none, retry: 7 } }, 90, { kind: "retries", count: 7 }],
    [{ unsent: 0, counts: { ...none, accepted: 1_000 } }, 90, { kind: "unknown" }],
    [{ scheduleAtLocal: "2026-01-01T09:00" }, 90, { kind: "local-time" }],
    [
      {
        held: [
          {
            pushService: "fcm",
            pushOrigin: "https://push.example",
            reason: "throttled",
            detail: "",
            since: "2026-01-01T00:00:00Z",
            nextProbeAt: "2026-01-01T00:00:00Z",
          },
        ],
      },
      90,
      { kind: "unknown" },
    ],
  ])("%j at %j: %j", ([over, pace, outlook]) => {
    expect(outlookOf(progress(over), pace)).toEqual(outlook);
  });

  test.for([
    [0.2, "seconds", 5],
    [11, "seconds", 15],
    [49, "seconds", 50],
    [50, "minutes", 1],
    [89, "minutes", 1],
    [91, "minutes", 2],
    [3_299, "minutes", 55],
    [3_300, "hours", 1],
    [7_000, "hours", 2],
  ] as const)("%d seconds are about %s: %d", ([seconds, unit, count]) => {
    expect(roughly(seconds)).toEqual({ unit, count });
  });
});

test.for([
  [0.24, 0.2],
  [9.96, 10],
  [10.4, 10],
  [1_234.5, 1_235],
] as const)("a pace of %d reads as %d", ([pace, shown]) => {
  expect(shownPace(pace)).toBe(shown);
});
