/** The same throws in each run. */
export function dice(seed: number): {
  /** From 0 on. */
  below: (count: number) => number;
  /** One of them, by their weights, of which the sum is 100. */
  weighted: <Item extends readonly [number, ...unknown[]]>(items: readonly Item[]) => Item;
} {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * count);
  };
  return {
    below,
    weighted(items) {
      let left = below(100);
      for (const item of items) {
        left -= item[0];
        if (left < 0) return item;
      }
      throw new Error("the weights are less than 100");
    },
  };
}
