import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startLanes, type LaneRules } from "./lanes.ts";
import type { Turn } from "./page.ts";

const [a, b, c, d] = ["https://a", "https://b", "https://c", "https://d"] as const;

function turnsAt(pushOrigin: string, count: number): Turn[] {
  return Array.from({ length: count }, (_, index) => ({
    recipient: {
      registrationId: index,
      token: "",
      generation: 1,
      endpoint: "",
      p256dh: "",
      auth: "",
      vapidKeyId: 1,
      pushOrigin,
      origin: "",
      refusedAtMs: null,
    },
    attempts: 0,
    firstTriedAtMs: null,
    triedAtMs: 0,
  }));
}

type Options = Partial<Pick<LaneRules, "concurrency" | "unprovenSlots" | "lookups">> & {
  proven?: readonly string[];
};

/** Lanes of which the case answers each push. */
function start(turns: readonly Turn[], { proven = [], ...slots }: Options = {}) {
  const known = new Set(proven);
  const closed = new Set<string>();
  const open: { pushOrigin: string; resolve: (answered: boolean) => void }[] = [];
  const lanes = startLanes(turns, {
    concurrency: 3,
    unprovenSlots: 2,
    lookups: 1,
    ...slots,
    isProven: (pushOrigin) => known.has(pushOrigin),
    isClosed: (pushOrigin) => closed.has(pushOrigin),
    push: ({ recipient: { pushOrigin } }) =>
      new Promise((resolve) => open.push({ pushOrigin, resolve })),
  });
  const underWay = () =>
    Object.fromEntries(lanes.all.map((each) => [each.pushOrigin, each.underWay]));
  /** Ends the push that was begun first at this push origin. */
  async function end(pushOrigin: string, { answered = true, accepted = false } = {}) {
    const index = open.findIndex((each) => each.pushOrigin === pushOrigin);
    const [push] = open.splice(index, 1);
    if (index < 0 || push === undefined) throw new Error(`nothing is under way at ${pushOrigin}`);
    if (accepted) known.add(pushOrigin);
    push.resolve(answered);
    await setImmediate();
    return underWay();
  }
  /** Whether it has resolved by now. */
  async function isOver(promise: Promise<void>): Promise<boolean> {
    return Promise.race([promise.then(() => true), setImmediate(false)]);
  }
  const laneOf = (pushOrigin: string) => {
    const lane = lanes.all.find((each) => each.pushOrigin === pushOrigin);
    if (lane === undefined) throw new Error(`nothing is sent to ${pushOrigin}`);
    return lane;
  };
  return { lanes, laneOf, underWay, end, isOver, closed };
}

describe("a push origin that has accepted something", () => {
  const turns = [...turnsAt(a, 5), ...turnsAt(b, 2)];
  const proven = [a, b];

  test("has slots of its own: one that does not answer takes none from the others", async () => {
    const { end, underWay, laneOf } = start(turns, { proven });
    expect(underWay()).toEqual({ [a]: 3, [b]: 2 });
    await end(a);
    expect(await end(a)).toEqual({ [a]: 3, [b]: 2 });
    expect(laneOf(a).begun).toBe(5);
    expect(await end(a)).toEqual({ [a]: 2, [b]: 2 });
  });

  test("has ended when its last push has, whatever the others do", async () => {
    const { lanes, laneOf, end, isOver } = start(turns, { proven });
    const own = lanes.ended([laneOf(b)]);
    const all = lanes.ended();
    await end(b);
    expect([await isOver(own), lanes.hasEnded(laneOf(b))]).toEqual([false, false]);
    await end(b);
    expect([await isOver(own), lanes.hasEnded(laneOf(b))]).toEqual([true, true]);
    for (let left = 5; left > 0; left -= 1) {
      expect(await isOver(all)).toBe(false);
      await end(a);
    }
    expect(await isOver(all)).toBe(true);
    expect(await isOver(lanes.ended())).toBe(true);
  });

  test("that is closed begins nothing more, ends with what is under way, and leaves the others", async () => {
    const { lanes, laneOf, end, isOver, closed } = start(turns, { proven, concurrency: 1 });
    closed.add(a);
    lanes.goOn();
    expect(lanes.hasEnded(laneOf(a))).toBe(false);
    expect(await end(a)).toEqual({ [a]: 0, [b]: 1 });
    expect(lanes.hasEnded(laneOf(a))).toBe(true);
    expect([laneOf(a).begun, laneOf(b).begun]).toEqual([1, 1]);
    await end(b);
    await end(b);
    expect(await isOver(lanes.ended())).toBe(true);
  });

  test("that is closed with nothing under way has ended at once", async () => {
    const { lanes, laneOf, closed, isOver, end } = start([...turnsAt(c, 1), ...turnsAt(d, 1)]);
    const own = lanes.ended([laneOf(d)]);
    expect(await isOver(own)).toBe(false);
    closed.add(d);
    lanes.goOn();
    expect(await isOver(own)).toBe(true);
    expect(laneOf(d).begun).toBe(0);
    await end(c);
    expect(await isOver(lanes.ended())).toBe(true);
  });
});

describe("push origins that have never accepted anything", () => {
  const turns = [a, b, c, d].flatMap((pushOrigin) => turnsAt(pushOrigin, 3));

  test("are asked once each, so many at a time, as long as none answers", async () => {
    const { underWay, end } = start(turns, { lookups: 2, unprovenSlots: 3 });
    expect(underWay()).toEqual({ [a]: 1, [b]: 1, [c]: 0, [d]: 0 });
    // It may be asked again, and no more of them at once.
    const again = await end(a, { answered: false });
    expect(again).toEqual({ [a]: 1, [b]: 1, [c]: 0, [d]: 0 });
  });

  test("have all of these slots at once where there is one alone: it costs one look-up", async () => {
    const { underWay, end } = start(turnsAt(a, 9), { lookups: 1, unprovenSlots: 3 });
    expect(underWay()).toEqual({ [a]: 3 });
    expect(await end(a, { answered: false })).toEqual({ [a]: 3 });
  });

  test("share their slots once they answer", async () => {
    const { end } = start(turns, { lookups: 2, unprovenSlots: 3 });
    // `a` has answered and may have more; its place among the unanswered is another's.
    expect(await end(a)).toEqual({ [a]: 2, [b]: 1, [c]: 0, [d]: 0 });
    expect(await end(b)).toEqual({ [a]: 2, [b]: 1, [c]: 0, [d]: 0 });
    await end(a);
    expect(await end(a)).toEqual({ [a]: 0, [b]: 2, [c]: 1, [d]: 0 });
    await end(b);
    // One more each, as long as they have not answered.
    expect(await end(b)).toEqual({ [a]: 0, [b]: 0, [c]: 1, [d]: 1 });
  });

  test("that are dead take no slot from those that have accepted something", () => {
    const all = [...turns, ...turnsAt("https://good", 9)];
    const { underWay } = start(all, { proven: ["https://good"] });
    expect(underWay()).toMatchObject({ [a]: 1, [b]: 0, "https://good": 3 });
  });

  test("have all slots from the push on that is accepted", async () => {
    const { end, laneOf } = start([...turnsAt(a, 9), ...turnsAt(b, 3)], { concurrency: 5 });
    expect(await end(a)).toEqual({ [a]: 2, [b]: 0 });
    // Those that were begun as unproven are counted so until they end.
    expect(await end(a, { accepted: true })).toEqual({ [a]: 5, [b]: 1 });
    await end(a);
    expect(laneOf(a).begun).toBe(8);
    await end(a);
    await end(b);
    expect(laneOf(b).begun).toBe(3);
  });
});

test("a page without anybody has ended", async () => {
  const { lanes, isOver } = start([]);
  expect(lanes.all).toEqual([]);
  expect(await isOver(lanes.ended())).toBe(true);
});
