import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { keepLease, type LeaseParts } from "./lease.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const lease = { id: 7, epoch: 3, owner: "me" };

function keep(extend: () => Promise<boolean>) {
  const clock = { nowMs: 1_000 };
  const extended: unknown[] = [];
  const logged: string[] = [];
  const lost = vi.fn<() => void>();
  const parts: LeaseParts = {
    store: {
      extendLease: (of, untilMs) => {
        extended.push([of, untilMs]);
        return extend();
      },
    },
    leaseMs: 60_000,
    now: () => clock.nowMs,
    log: createLog("info", { write: (text) => logged.push(text) }),
  };
  const kept = keepLease(lease, parts, lost);
  async function pass(milliseconds: number): Promise<void> {
    clock.nowMs += milliseconds;
    await vi.advanceTimersByTimeAsync(milliseconds);
  }
  return { kept, pass, extended, logged, lost };
}

describe("a lease that is kept", () => {
  test("is extended three times in its time, for all of its time, until that is stopped", async () => {
    const { kept, pass, extended } = keep(async () => true);
    await pass(19_999);
    expect(extended).toEqual([]);
    await pass(1);
    expect(extended).toEqual([[lease, 81_000]]);
    await pass(20_000);
    expect(extended.slice(1)).toEqual([[lease, 101_000]]);
    kept.stop();
    await pass(60_000);
    expect(extended).toHaveLength(2);
  });

  test("is tried again where it could not be extended, which is told, until it is over", async () => {
    const { kept, pass, extended, logged, lost } = keep(() =>
      Promise.reject(new Error("the disk is full")),
    );
    await pass(20_000);
    expect(logged.join()).toContain("the disk is full");
    await pass(20_000);
    expect(extended).toHaveLength(2);
    expect(lost).not.toHaveBeenCalled();
    await pass(20_000);
    expect(lost).toHaveBeenCalledOnce();
    await pass(60_000);
    expect(extended).toHaveLength(3);
    expect(lost).toHaveBeenCalledOnce();
    kept.stop();
  });

  test("is held for longer by each time that it was extended", async () => {
    let fails = false;
    const { kept, pass, lost } = keep(() =>
      fails ? Promise.reject(new Error("the disk is full")) : Promise.resolve(true),
    );
    await pass(20_000);
    fails = true;
    await pass(59_999);
    expect(lost).not.toHaveBeenCalled();
    await pass(1);
    expect(lost).toHaveBeenCalledOnce();
    kept.stop();
  });

  test("that is another's is lost at once, which is told once", async () => {
    const { pass, extended, logged, lost } = keep(async () => false);
    await pass(20_000);
    expect(lost).toHaveBeenCalledOnce();
    await pass(60_000);
    expect(extended).toHaveLength(1);
    expect(logged.filter((line) => line.includes("a lease was lost"))).toHaveLength(1);
  });

  test("that was given back while it was being extended is not lost", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { kept, pass, logged, lost } = keep(() => promise);
    await pass(20_000);
    kept.stop();
    resolve(false);
    await pass(1);
    expect(lost).not.toHaveBeenCalled();
    expect(logged).toEqual([]);
  });
});
