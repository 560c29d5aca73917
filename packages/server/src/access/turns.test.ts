import { describe, expect, test } from "vitest";
import { createTurns, NoTurnLeft } from "./turns.ts";

/** Work that ends when it is told to. */
function piece(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

describe("turns", () => {
  test("so many work at once; others begin in their order as those end", async () => {
    const begun: string[] = [];
    const take = createTurns({ atOnce: 2, waiting: 2 });
    const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((name) => piece(name, begun));
    if (!a || !b || !c || !d || !e) throw new Error("five pieces");
    const results = [a, b, c, d].map(({ work }) => take(work));
    expect(begun).toEqual(["a", "b"]);
    b.end();
    await results[1];
    await Promise.resolve();
    expect(begun).toEqual(["a", "b", "c"]);
    // A turn that was handed on is taken.
    const late = take(e.work);
    expect(begun).toEqual(["a", "b", "c"]);
    for (const one of [a, c, d, e]) one.end();
    expect(await Promise.all([...results, late])).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("where enough wait, nobody else may, until one has begun", async () => {
    const begun: string[] = [];
    const take = createTurns({ atOnce: 1, waiting: 1 });
    const [a, b, c] = ["a", "b", "c"].map((name) => piece(name, begun));
    if (!a || !b || !c) throw new Error("three pieces");
    const [first, second] = [take(a.work), take(b.work)];
    await expect(take(c.work)).rejects.toThrow(NoTurnLeft);
    a.end();
    await first;
    const third = take(c.work);
    b.end();
    c.end();
    expect([await second, await third]).toEqual(["b", "c"]);
    expect(begun).toEqual(["a", "b", "c"]);
  });

  test("work that fails gives its turn on", async () => {
    const take = createTurns({ atOnce: 1, waiting: 1 });
    const [a, b] = [piece("a", []), piece("b", [])];
    const [first, second] = [take(a.work), take(b.work)];
    b.end();
    a.fail();
    await expect(first).rejects.toThrow("a");
    expect(await second).toBe("b");
    expect(await take(b.work)).toBe("b");
  });
});
