import { afterEach, expect, it, vi } from "vitest";
import { afterLoad } from "./page-load.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("waits a second after load in a browser that does not tell when it is idle", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { readyState: "complete" });
  vi.stubGlobal("requestIdleCallback", undefined);
  const rested = vi.fn();
  void afterLoad().then(rested);
  await vi.advanceTimersByTimeAsync(999);
  expect(rested).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(rested).toHaveBeenCalledOnce();
});
