import { setImmediate as othersTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCallerTurns } from "./caller-turns.ts";
import { NoTurnLeft } from "./turns.ts";

/** A caller's turn that may have begun. */
function asked(turn: Promise<() => void>) {
  const state = { begun: false, end: async () => (await turn)() };
  turn.then(
    () => (state.begun = true),
    () => undefined,
  );
  return state;
}
/** What has room begins with the next round of the event loop. */
const settled = async () => {
  for (let round = 0; round < 5; round += 1) await othersTurn();
};
const bounds = { perCaller: { atOnce: 1, waiting: 1 }, inAll: { atOnce: 2, waiting: 2 } };

test("one caller has so many at once, and leaves room to others", async () => {
  const take = createCallerTurns(bounds);
  const [first, second] = [asked(take("baker")), asked(take("baker"))];
  await expect(take("baker")).rejects.toThrow(NoTurnLeft);
  const other = asked(take("florist"));
  await settled();
  expect([first.begun, second.begun, other.begun]).toEqual([true, false, true]);
  await first.end();
  await settled();
  expect(second.begun).toBe(true);
  await second.end();
  // Whoever has none any more begins anew.
  const again = asked(take("baker"));
  await settled();
  expect(again.begun).toBe(true);
});

test("all together have so many, and others wait for them", async () => {
  const take = createCallerTurns(bounds);
  const turns = ["a", "b", "c", "d"].map((caller) => asked(take(caller)));
  await expect(take("e")).rejects.toThrow(NoTurnLeft);
  await settled();
  expect(turns.map(({ begun }) => begun)).toEqual([true, true, false, false]);
  await turns[0]?.end();
  await settled();
  expect(turns.map(({ begun }) => begun)).toEqual([true, true, true, false]);
  // The place of the one who was refused was given back.
  const late = asked(take("e"));
  for (const turn of [turns[1], turns[2]]) await turn?.end();
  await settled();
  expect([turns[3]?.begun, late.begun]).toEqual([true, true]);
});

test("between two turns everybody else has one", async () => {
  const take = createCallerTurns({ ...bounds, perCaller: { atOnce: 1, waiting: 9 } });
  const log: string[] = [];
  const work = async () => {
    const end = await take("baker");
    log.push("work");
    end();
  };
  const all = Promise.all([work(), work(), work()]);
  setImmediate(() => log.push("other"));
  await all;
  expect(log.slice(0, 2)).not.toEqual(["work", "work"]);
});
