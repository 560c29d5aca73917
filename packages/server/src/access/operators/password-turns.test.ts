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

test("of who is known has places of its own, which strangers cannot take: one at once, and 20 wait", async () => {
  const turns = createPasswordTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = [turns.stranger, turns.known].map((take) =>
    Promise.allSettled(Array.from({ length: 60 }, () => take(() => promise))),
  );
  resolve();
  const [strangers = [], known = []] = await Promise.all(asked);
  expect([refusedOf(strangers).length, refusedOf(known).length]).toEqual([8, 39]);
});
