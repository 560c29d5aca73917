import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { keepLease } from "./lease.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const batchId = 7;

function keep(extend: () => Promise<boolean>) {
  const clock = { nowMs: 1_000 };
  const extended: unknown[] = [];
  const logged: string[] = [];
  const kept = keepLease(batchId, {
    store: {
      extendLease: (id, lease) => {
        extended.push([id, lease]);
        return extend();
      },
    },
    owner: "me",
    leaseMs: 60_000,
    now: () => clock.nowMs,
    log: createLog("info", { write: (text) => logged.push(text) }),
  });
  async function pass(milliseconds: number): Promise<void> {
    clock.nowMs += milliseconds;
    await vi.advanceTimersByTimeAsync(milliseconds);
  }
  return { kept, pass, extended, logged };
}

describe("a lease that is kept", () => {
  test("is extended three times in its time, for all of its time, until that is stopped", async () => {
    const { kept, pass, extended } = keep(async () => true);
    await pass(19_999);
    expect(extended).toEqual([]);
    await pass(1);
    expect(extended).toEqual([[batchId, { owner: "me", untilMs: 81_000 }]]);
    await pass(20_000);
    expect(extended.slice(1)).toEqual([[batchId, { owner: "me", untilMs: 101_000 }]]);
    kept.stop();
    await pass(60_000);
    expect(extended).toHaveLength(2);
  });

  test("is tried again where it could not be extended, which is told", async () => {
    const { kept, pass, extended, logged } = keep(() =>
      Promise.reject(new Error("the disk is full")),
    );
    await pass(20_000);
    expect(logged.join()).toContain("the disk is full");
    await pass(20_000);
    expect(extended).toHaveLength(2);
    kept.stop();
  });
});
