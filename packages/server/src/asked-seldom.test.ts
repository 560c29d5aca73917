import { expect, test, vi } from "vitest";
import { askedSeldom } from "./asked-seldom.ts";

test("however many ask, it is found out once in a while, and all hear the same", async () => {
  let nowMs = 10_000;
  const check = vi.fn<() => Promise<void>>().mockResolvedValue(undefined);
  const ready = askedSeldom(check, { everyMs: 1_000, now: () => nowMs });
  await Promise.all([ready(), ready(), ready()]);
  nowMs += 999;
  await ready();
  expect(check).toHaveBeenCalledTimes(1);
  nowMs += 1;
  check.mockRejectedValueOnce(new Error("the disk is full"));
  await expect(ready()).rejects.toThrow("full");
  await expect(ready()).rejects.toThrow("full");
  expect(check).toHaveBeenCalledTimes(2);
  nowMs -= 3_600_000;
  await ready();
  expect(check).toHaveBeenCalledTimes(3);
});
