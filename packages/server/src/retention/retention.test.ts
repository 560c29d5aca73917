import { describe, expect, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { removeOld, startRetention, type RetentionParts } from "./retention.ts";

const dayMs = 86_400_000;
const nowMs = 1_000 * dayMs;

/** A store that has so many of each kind to remove. */
function parts(left: Record<string, number> = {}) {
  const lines: string[] = [];
  const calls: (readonly [kind: string, when: unknown, limit: number])[] = [];
  const remove = (kind: string) => async (when: unknown, limit: number) => {
    calls.push([kind, when, limit]);
    const count = Math.min(limit, left[kind] ?? 0);
    left[kind] = (left[kind] ?? 0) - count;
    return count;
  };
  const made: RetentionParts = {
    store: {
      retention: {
        removeEnded: remove("registrations"),
        removeBatches: (limit) => remove("batches")(null, limit),
        removeReceipts: remove("receipts"),
        removeExceptions: remove("exceptions"),
        removeGoneEndpoints: remove("goneEndpoints"),
        removeHosts: (limit) => remove("hosts")(null, limit),
        removeExpired: remove("expired"),
      },
      audit: { removeBefore: remove("auditLines") },
      sessions: { removeStale: remove("sessions") },
      drafts: { removeUntouched: remove("drafts") },
    },
    keepDays: { ended: 30, receipts: 90, audit: 365 },
    sessionIdleMs: 14 * dayMs,
    now: () => nowMs,
    pause: async () => undefined,
    log: createLog("info", { write: (line) => lines.push(line) }),
  };
  return { made, calls, lines };
}

describe("removing what was kept for long enough", () => {
  test("asks for each kind what the settings say", async () => {
    const { made, calls } = parts({ receipts: 3 });
    expect(await removeOld(made, new AbortController().signal)).toEqual({
      registrations: 0,
      goneEndpoints: 0,
      batches: 0,
      receipts: 3,
      exceptions: 0,
      hosts: 0,
      auditLines: 0,
      sessions: 0,
      drafts: 0,
      expired: 0,
    });
    expect(calls).toEqual([
      ["registrations", nowMs - 30 * dayMs, 500],
      ["goneEndpoints", nowMs - 30 * dayMs, 500],
      ["batches", null, 500],
      ["receipts", nowMs - 90 * dayMs, 500],
      ["exceptions", nowMs - 90 * dayMs, 500],
      ["hosts", null, 500],
      ["auditLines", nowMs - 365 * dayMs, 500],
      ["sessions", { nowMs, usedSinceMs: nowMs - 14 * dayMs }, 500],
      ["drafts", nowMs - 365 * dayMs, 500],
      ["expired", nowMs, 500],
    ]);
  });

  test("goes on portion by portion, with a pause after each that was full", async () => {
    const { made, calls } = parts({ registrations: 1_001 });
    const pause = vi.fn<RetentionParts["pause"]>(async () => undefined);
    const removed = await removeOld({ ...made, pause }, new AbortController().signal);
    expect(removed["registrations"]).toBe(1_001);
    expect(calls.filter(([kind]) => kind === "registrations")).toHaveLength(3);
    expect(pause).toHaveBeenCalledTimes(2);
  });

  test("stops between two portions", async () => {
    const { made, calls } = parts({ registrations: 5_000 });
    const stopping = new AbortController();
    await removeOld({ ...made, pause: async () => stopping.abort() }, stopping.signal);
    expect(calls).toHaveLength(1);
  });

  test("is done a minute after the start and then every hour, told of if there was anything, and stopped", async () => {
    const { made, calls, lines } = parts({ receipts: 1 });
    const pauses: number[] = [];
    const { promise: second, resolve } = Promise.withResolvers<void>();
    const retention = startRetention({
      ...made,
      pause: (milliseconds, signal) => {
        pauses.push(milliseconds);
        if (pauses.length < 3) return Promise.resolve();
        resolve();
        return new Promise((ended) => signal.addEventListener("abort", () => ended()));
      },
    });
    await second;
    await retention.stop();
    expect(pauses).toEqual([60_000, 3_600_000, 3_600_000]);
    expect(calls).toHaveLength(20);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ removed: { receipts: 1 } });
  });

  test("what fails is told, and tried again an hour later", async () => {
    const { made, lines } = parts();
    const { promise: again, resolve } = Promise.withResolvers<void>();
    let tries = 0;
    made.store.retention.removeEnded = async () => {
      tries += 1;
      if (tries === 2) resolve();
      throw new Error("the disk is full");
    };
    const retention = startRetention({ ...made, pause: async () => undefined });
    await again;
    await retention.stop();
    expect(lines[0]).toContain("the disk is full");
  });
});
