import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { pauseAfterMs, startLoop } from "./loop.ts";

const silent = createLog("silent", { write: () => undefined });
/** Longer than any test: only a signal can end the pause. */
const never = { pollMs: 3_600_000, log: silent };

/** A step that tells when it was called and waits to be answered. */
function manualWork() {
  const calls: PromiseWithResolvers<boolean>[] = [];
  let waiting: (() => void) | undefined;
  return {
    work: () => {
      const call = Promise.withResolvers<boolean>();
      calls.push(call);
      waiting?.();
      return call.promise;
    },
    async call(index: number): Promise<PromiseWithResolvers<boolean>> {
      for (;;) {
        const call = calls[index];
        if (call !== undefined) return call;
        await new Promise<void>((resolve) => (waiting = resolve));
      }
    },
    count: () => calls.length,
  };
}

/** Whatever was only to be noticed has been once the event loop has gone round: a step's answer, an end. */
const pausing = () => setImmediate();

test("the pause after failed steps doubles, up to half a minute", () => {
  const pauses = [0, 1, 2, 3, 7, 8, 9_999].map(pauseAfterMs);
  expect(pauses).toEqual([0, 400, 800, 1_600, 25_600, 30_000, 30_000]);
});

describe("the delivery loop", () => {
  test("works on while there is work, then pauses until it is woken", async () => {
    const steps = manualWork();
    const loop = startLoop(steps.work, never);
    (await steps.call(0)).resolve(true);
    (await steps.call(1)).resolve(false);
    await pausing();
    loop.wake();
    (await steps.call(2)).resolve(false);
    await pausing();
    await loop.stop();
    expect(steps.count()).toBe(3);
  });

  test("a signal during the last step is not lost", async () => {
    const steps = manualWork();
    const loop = startLoop(steps.work, never);
    const step = await steps.call(0);
    loop.wake();
    step.resolve(false);
    (await steps.call(1)).resolve(false);
    await loop.stop();
    expect(steps.count()).toBe(2);
  });

  test("what a step leaves running wakes it", async () => {
    const steps = manualWork();
    let left: (() => void) | undefined;
    const loop = startLoop((_signal, wake) => {
      left = wake;
      return steps.work();
    }, never);
    (await steps.call(0)).resolve(false);
    await pausing();
    left?.();
    (await steps.call(1)).resolve(false);
    await loop.stop();
    expect(steps.count()).toBe(2);
  });

  test("leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const steps = manualWork();
      const loop = startLoop(steps.work, never);
      (await steps.call(0)).resolve(false);
      await pausing();
      expect(vi.getTimerCount()).toBe(1);
      await loop.stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("looks again by itself", async () => {
    const steps = manualWork();
    const loop = startLoop(steps.work, { pollMs: 1, log: silent });
    (await steps.call(0)).resolve(false);
    (await steps.call(1)).resolve(false);
    const stopped = loop.stop();
    for (let index = 2; index < steps.count(); index += 1) (await steps.call(index)).resolve(false);
    await stopped;
    expect(steps.count()).toBeGreaterThan(1);
  });

  test("a step that throws is logged, is followed by a pause and does not end it", async () => {
    const logged: string[] = [];
    const steps = manualWork();
    const log = createLog("error", { write: (text) => logged.push(text) });
    const loop = startLoop(steps.work, { ...never, log });
    (await steps.call(0)).reject(new Error("the disk is full"));
    await pausing();
    expect(steps.count()).toBe(1);
    loop.wake();
    (await steps.call(1)).resolve(false);
    await loop.stop();
    expect(logged.join()).toContain("the disk is full");
  });

  test("steps that throw are followed by longer pauses, until one succeeds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const steps = manualWork();
      const loop = startLoop(steps.work, { pollMs: 200, log: silent });
      for (const [index, pauseMs] of [400, 800, 1_600].entries()) {
        (await steps.call(index)).reject(new Error("damaged"));
        await pausing();
        vi.advanceTimersByTime(pauseMs - 1);
        await pausing();
        expect(steps.count()).toBe(index + 1);
        vi.advanceTimersByTime(1);
      }
      (await steps.call(3)).resolve(false);
      await pausing();
      vi.advanceTimersByTime(200);
      (await steps.call(4)).resolve(false);
      await loop.stop();
      expect(steps.count()).toBe(5);
    } finally {
      vi.useRealTimers();
    }
  });

  test("check throws what three steps in a row have thrown", async () => {
    const steps = manualWork();
    const loop = startLoop(steps.work, never);
    for (let index = 0; index < 3; index += 1) {
      expect(() => loop.check()).not.toThrow();
      (await steps.call(index)).reject(new Error("damaged"));
      await pausing();
      loop.wake();
    }
    expect(() => loop.check()).toThrow("damaged");
    (await steps.call(3)).resolve(false);
    await pausing();
    expect(() => loop.check()).not.toThrow();
    await loop.stop();
  });

  test("stop aborts the signal of the step that runs", async () => {
    const begun = Promise.withResolvers<void>();
    let told = false;
    const loop = startLoop(async (signal) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      told = signal.aborted;
      return true;
    }, never);
    await begun.promise;
    expect(told).toBe(false);
    await loop.stop();
    expect(told).toBe(true);
  });

  test("stop waits for the step that runs and begins no other; it is repeatable", async () => {
    const steps = manualWork();
    const loop = startLoop(steps.work, never);
    const step = await steps.call(0);
    let stopped = false;
    const stopping = Promise.all([loop.stop(), loop.stop()]).then(() => (stopped = true));
    await pausing();
    expect(stopped).toBe(false);
    step.resolve(true);
    await stopping;
    expect(steps.count()).toBe(1);
  });
});
