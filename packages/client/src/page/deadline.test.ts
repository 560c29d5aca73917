import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MessagingError } from "../errors.ts";
import { withinDeadline } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("gives the answer that comes in time", async () => {
  await expect(withinDeadline(Promise.resolve("token"))).resolves.toBe("token");
  expect(vi.getTimerCount()).toBe(0);
});

it("passes on a failure that comes in time", async () => {
  await expect(withinDeadline(Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});

it("fails after 20 s, not before, and hands on the answer that is still open", async () => {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const outcome = withinDeadline(promise).catch((error: unknown) => error);
  let settled = false;
  void outcome.then(() => (settled = true));

  await vi.advanceTimersByTimeAsync(19_999);
  expect(settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const error = await outcome;
  expect(error).toBeInstanceOf(MessagingError);
  expect(error).toMatchObject({ code: "token-timeout" });

  resolve("late");
  await expect((error as MessagingError).late).resolves.toBe("late");
});
