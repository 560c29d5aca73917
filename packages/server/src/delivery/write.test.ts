import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { untilWritten } from "./write.ts";

const silent = createLog("silent", { write: () => undefined });
const full = () => Promise.reject(new Error("the disk is full"));

test("waits for its pauses, and they end with the signal", async () => {
  const stopping = new AbortController();
  let attempts = 0;
  let pauses = 0;
  const write = () => {
    attempts += 1;
    return full();
  };
  const pause = (_milliseconds: number, signal: AbortSignal) => {
    pauses += 1;
    return new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
    });
  };
  const written = untilWritten(write, { pause, log: silent }, stopping.signal);
  const thrown = written.catch((error: unknown) => error);
  await setImmediate();
  expect([attempts, pauses]).toEqual([1, 1]);
  stopping.abort();
  expect(await thrown).toMatchObject({ message: "the disk is full" });
  expect([attempts, pauses]).toEqual([2, 1]);
});

test("ends when it is written, and not before", async () => {
  const writing = Promise.withResolvers<void>();
  let written = false;
  const pause = () => Promise.reject(new Error("it pauses"));
  const { signal } = new AbortController();
  const ended = untilWritten(() => writing.promise, { pause, log: silent }, signal).then(
    () => (written = true),
  );
  await setImmediate();
  expect(written).toBe(false);
  writing.resolve();
  await ended;
});
