import * as fc from "fast-check";
import { describe, test } from "vitest";
import { setUp, type TestDatabase } from "./bench.ts";
import type { Place } from "./delivery-model.ts";
import type { Parting } from "./delivery-parting.ts";
import { createWorld, type World } from "./delivery-world.ts";

/** Two hosts of one vendor, and a push service of its own. */
const pushOrigins = [
  "https://wns2-east.notify.windows.com",
  "https://wns2-west.notify.windows.com",
  "https://a.example",
];
const partings: readonly Parting[] = ["ends", "ends", "slow", "cut"];
const outcomes = [
  "accepted",
  "accepted",
  "accepted",
  "retry",
  "retry",
  "retry",
  "gone",
  "gone",
  "failed",
] as const;

const number = fc.nat(1_000);
const few = fc.integer({ min: 1, max: 2 });
const pageSize = fc.integer({ min: 1, max: 4 });
const place: fc.Arbitrary<Place> = fc.record({
  pushOrigin: fc.constantFrom(...pushOrigins),
  // Two of them are due at the same time.
  timeZone: fc.constantFrom(null, "Asia/Tokyo", "Asia/Seoul"),
});

type Step = (world: World) => unknown;

function weighted<Drawn>(
  weight: number,
  drawn: fc.Arbitrary<Drawn>,
  act: (world: World, what: Drawn) => unknown,
) {
  const arbitrary = drawn.map((what): Step => {
    const step: Step = (world) => act(world, what);
    // How a failing case is told.
    return Object.assign(step, { toString: () => `${act.toString()} ${JSON.stringify(what)}` });
  });
  return { weight, arbitrary };
}

/** Each by how often it comes. */
const steps = fc.oneof(
  weighted(2, place, (world, at) => world.register(at)),
  weighted(
    30,
    fc.tuple(number, place, fc.constantFrom("renew", "refresh")),
    (world, [who, at, kind]) => world.move(who, at, kind),
  ),
  weighted(12, fc.tuple(number, place), (world, [who, at]) => world.comeBack(who, at)),
  weighted(1, number, (world, who) => world.leave(who)),
  weighted(4, number, (world, who) => world.changeTopic(who)),
  weighted(6, fc.tuple(number, place), (world, [who, at]) => world.wander(who, at)),
  weighted(
    4,
    fc.tuple(fc.constantFrom("all", "topic", "condition", "tokens"), fc.boolean()),
    (world, [kind, local]) => world.publish(kind, local),
  ),
  weighted(12, few, (world, keys) => world.plan(keys * 3)),
  weighted(30, fc.tuple(pageSize, number), (world, [limit, which]) => world.begin(limit, which)),
  weighted(4, fc.tuple(pageSize, number), (world, [limit, which]) => world.probe(limit, which)),
  weighted(
    30,
    fc.tuple(
      number,
      fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(...partings), { minLength: 2, maxLength: 2 }),
    ),
    (world, [which, drawn, parting]) =>
      world.end(which, (id) => drawn[id % drawn.length] ?? "accepted", parting),
  ),
  weighted(1, fc.constant(null), (world) => world.kill()),
  weighted(2, fc.constant(null), (world) => world.hang()),
  weighted(1, number, (world, which) => world.cancel(which)),
  weighted(2, fc.constantFrom(...pushOrigins), (world, at) => world.toggleBreaker(at)),
  weighted(8, fc.integer({ min: 1, max: 300 }), (world, ms) => world.pass(ms)),
);

/** @param seed of the histories that are played; another one each time if it is not given */
export function deliveryPlay(
  makeDatabase: () => Promise<TestDatabase>,
  { runs = 20, seed, limitMs = 200_000 }: { runs?: number; seed?: number; limitMs?: number } = {},
): void {
  describe("delivery, whatever happens", () => {
    // oxlint-disable-next-line vitest/expect-expect -- the world expects, at every step and in the end
    test(
      "who stays in the audience is delivered to, and every figure is right",
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(place, { minLength: 3, maxLength: 16 }),
            fc.array(steps, { minLength: 100, maxLength: 200, size: "max" }),
            async (first, then) => {
              const database = await makeDatabase();
              const bench = await setUp(database);
              const another = await database.open();
              try {
                const world = await createWorld(bench, [bench.store, another]);
                for (const at of first) await world.register(at);
                await world.publish("all", false);
                await world.publish("topic", true);
                for (const [index, act] of then.entries()) {
                  await act(world);
                  if (index % 3 === 0) await world.checkFigures();
                }
                await world.drain(pushOrigins);
                await world.checkEnd();
              } finally {
                await another.close();
                await bench.store.close();
                await database.remove();
              }
            },
          ),
          {
            numRuns: runs,
            interruptAfterTimeLimit: limitMs,
            ...(seed === undefined ? {} : { seed }),
          },
        );
      },
      1.5 * limitMs,
    );
  });
}
