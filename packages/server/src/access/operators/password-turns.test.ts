import { expect, test } from "vitest";
import { NoTurnLeft } from "../turns.ts";
import { createPasswordTurns } from "./password-turns.ts";

const refusedOf = (settled: PromiseSettledResult<unknown>[]) =>
  settled.filter(({ status }) => status === "rejected");

test("two passwords are worked on at once, 50 wait, and more are turned away", async () => {
  const turns = createPasswordTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  let working = 0;
  const work = () => {
    working += 1;
    return promise;
  };
  const asked = Array.from({ length: 55 }, () => turns.stranger(work));
  await expect(asked.at(-1)).rejects.toThrow(NoTurnLeft);
  expect(working).toBe(2);
  resolve();
  const settled = await Promise.allSettled(asked);
  expect(refusedOf(settled)).toHaveLength(3);
  expect(settled.slice(52)).toEqual(refusedOf(settled));
  await turns.stranger(work);
});

test("one account that is known has one turn at once, and 5 wait; another has its own", async () => {
  for (const side of ["known", "inside"] as const) {
    const turns = createPasswordTurns();
    const take = (id: number, work: () => Promise<void>) =>
      side === "known" ? turns.known(`operator ${id}`, work) : turns.inside(id, work);
    const { promise, resolve } = Promise.withResolvers<void>();
    const flood = Array.from({ length: 50 }, () => take(1, () => promise));
    const settled = Promise.allSettled(flood);
    await expect(flood.at(-1)).rejects.toThrow(NoTurnLeft);
    // It has as many as others wait, and goes before the flood's second.
    const order: string[] = [];
    const other = take(2, async () => void order.push("other"));
    const last = flood[5]?.then(() => order.push("flood"));
    resolve();
    await Promise.all([other, last]);
    expect(order).toEqual(["other", "flood"]);
    expect(refusedOf(await settled)).toHaveLength(44);
  }
});

test("operators inside do not take the turns of those who log in, however many they are", async () => {
  const turns = createPasswordTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const inside = Array.from({ length: 100 }, (_, id) =>
    turns.inside(id, () => {
      begun.resolve();
      return promise;
    }),
  );
  const settled = Promise.allSettled(inside);
  await expect(inside.at(-1)).rejects.toThrow(NoTurnLeft);
  await begun.promise;
  const log: string[] = [];
  const knows = Array.from({ length: 21 }, (_, id) =>
    turns.known(`operator ${id}`, async () => void log.push("log-in")),
  );
  for (const one of inside.slice(0, 21)) void one.then(() => log.push("inside"));
  resolve();
  await Promise.all(knows);
  // They take turns.
  expect(log.filter((side) => side === "inside").length).toBeLessThanOrEqual(22);
  expect(log.slice(0, 2)).toContain("log-in");
  expect(refusedOf(await settled)).toHaveLength(79);
});

test("neither strangers take the turns of those who are known, nor the other way round", async () => {
  const turns = createPasswordTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  const strangers = Promise.allSettled(
    Array.from({ length: 60 }, () => turns.stranger(() => promise)),
  );
  await turns.known("operator 1", async () => undefined);
  await turns.inside(1, async () => undefined);
  resolve();
  expect(refusedOf(await strangers)).toHaveLength(8);
});
