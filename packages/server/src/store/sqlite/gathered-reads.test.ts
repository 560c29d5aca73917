import { expect, test, vi } from "vitest";
import { gatherReads } from "./gathered-reads.ts";

const double = (numbers: readonly number[]) => numbers.map((each) => 2 * each);

test("reads that come in one turn of the event loop are asked together, and each gets its own", async () => {
  const ask = vi.fn(async (numbers: readonly number[]) => double(numbers));
  const read = gatherReads(ask);
  expect(await Promise.all([read(1), read(2), Promise.resolve().then(() => read(3))])).toEqual([
    2, 4, 6,
  ]);
  expect(ask.mock.calls).toEqual([[[1, 2, 3]]]);
});

test("a read that comes while others are asked is asked after them", async () => {
  const held = Promise.withResolvers<void>();
  const ask = vi.fn(async (numbers: readonly number[]) => {
    if (numbers.includes(1)) await held.promise;
    return double(numbers);
  });
  const read = gatherReads(ask);
  const first = read(1);
  await vi.waitFor(() => expect(ask).toHaveBeenCalledOnce());
  expect(await read(2)).toBe(4);
  held.resolve();
  expect(await first).toBe(2);
});

test("a statement that fails rejects every read in it, and none that comes later", async () => {
  const ask = vi
    .fn(async (numbers: readonly number[]) => double(numbers))
    .mockRejectedValueOnce(new Error("locked"));
  const read = gatherReads(ask);
  const outcomes = await Promise.allSettled([read(1), read(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await read(3)).toBe(6);
});
