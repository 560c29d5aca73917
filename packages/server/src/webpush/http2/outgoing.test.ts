import { describe, expect, test } from "vitest";
import { createOutgoing } from "./outgoing.ts";
import { defaultWindowBytes } from "./settings.ts";

const streams = 256;

/** So many bodies that wait, and how often anybody has looked at one of them since. */
async function scene({ window = 0 } = {}) {
  let looks = 0;
  /** Tells of each look at what is left of it. */
  class Watched extends Uint8Array {
    override get length(): number {
      looks += 1;
      return super.byteLength;
    }
  }
  const sent = new Map<number, number>();
  const outgoing = createOutgoing({
    data(stream, data) {
      sent.set(stream, (sent.get(stream) ?? 0) + data.byteLength);
    },
  });
  outgoing.resize(window);
  for (let id = 0; id < streams; id += 1) outgoing.begin(id, new Watched(4096));
  // What there is room for goes out behind the heads.
  await Promise.resolve();
  return {
    outgoing,
    sent: () => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
    looksAt: (act: () => void): number => {
      looks = 0;
      act();
      return looks;
    },
  };
}

const thousandTimes = (act: () => void): void => {
  for (let turn = 0; turn < 1000; turn += 1) act();
};

describe("a thousand times more room, a byte each", () => {
  test("for all together is no work where each waits for room of its own", async () => {
    const { outgoing, sent, looksAt } = await scene();
    const looks = looksAt(() =>
      thousandTimes(() => {
        outgoing.growAll(1);
        outgoing.goOn();
      }),
    );
    expect(looks).toBe(0);
    expect(sent()).toBe(0);
  });

  test("for one of them is work for that one alone", async () => {
    const { outgoing, sent, looksAt } = await scene();
    const looks = looksAt(() =>
      thousandTimes(() => {
        outgoing.grow(streams - 1, 1);
        outgoing.goOn();
      }),
    );
    expect(sent()).toBe(1000);
    expect(looks).toBeLessThan(10_000);
  });

  test("for all together is work for the one that it lets go on", async () => {
    // What they share is used up by the first of them; of the others all but the last have no room of their own.
    const { outgoing, sent, looksAt } = await scene();
    for (let id = 0; id < 16; id += 1) outgoing.grow(id, 4096);
    outgoing.grow(streams - 1, 4096);
    outgoing.goOn();
    expect(sent()).toBe(defaultWindowBytes);
    const looks = looksAt(() =>
      thousandTimes(() => {
        outgoing.growAll(1);
        outgoing.goOn();
      }),
    );
    expect(sent()).toBe(defaultWindowBytes + 1000);
    expect(looks).toBeLessThan(10_000);
  });
});

test("whatever comes to have room goes out, in whatever order and by whatever means it comes to it", async () => {
  const { outgoing, sent } = await scene({ window: 100 });
  expect(sent()).toBe(streams * 100);
  const least = (bytes: number): boolean => outgoing.resize(bytes);
  // Less than was sent already, and then more: own room of below nothing, and of 400.
  least(50);
  outgoing.goOn();
  outgoing.grow(7, 20);
  outgoing.goOn();
  expect(sent()).toBe(streams * 100);
  least(500);
  outgoing.goOn();
  // What they share is used up.
  expect(sent()).toBe(defaultWindowBytes);
  outgoing.growAll(2 ** 20);
  outgoing.goOn();
  expect(sent()).toBe(streams * 500 + 20);
  for (let id = 0; id < streams; id += 1) {
    expect(outgoing.isWaiting(id)).toBe(true);
    outgoing.grow(id, 4096);
  }
  outgoing.drop(3);
  outgoing.goOn();
  expect(sent()).toBe(streams * 4096 - (4096 - 500));
  for (let id = 0; id < streams; id += 1) expect(outgoing.isWaiting(id)).toBe(false);
});
