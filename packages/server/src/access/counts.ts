import { hash } from "node:crypto";

export type Counts = {
  /** Counts one more of this key. @returns how many there are, and after how many milliseconds the key begins anew */
  add(key: string): { count: number; endsInMs: number };
  /** Makes one not have been. */
  takeBack(key: string): void;
  /** How many keys are kept. */
  size(): number;
};

type Kept = { count: number; endsAtMs: number };

/**
 * Counts by key, in memory, each key within a window that begins with its first count. At most `mostKeys` are kept,
 * however many strangers make up. One more takes the place of the lowest count, of these the oldest, and goes on from
 * that count ("Space-Saving": Metwally, Agrawal, El Abbadi, ICDT 2005). So to have a count of 20 forgotten, all other
 * keys have to be counted 20 times as well, and where all are, a key that is new or comes back does not begin at nought.
 * A count reads too high by at most all that was counted within a window, divided by `mostKeys`.
 */
export function createCounts({
  windowMs,
  mostKeys,
  nowMs,
}: {
  windowMs: number;
  mostKeys: number;
  /** Never goes back. */
  nowMs: () => number;
}): Counts {
  // Windows are equally long, so this is also the order in which they end.
  const kept = new Map<string, Kept>();
  // None that is kept has less, so a search may end at the first that has as much.
  let lowestCount = 1;

  function removeEnded(atMs: number): void {
    for (const [key, { endsAtMs }] of kept) {
      if (endsAtMs > atMs) return;
      kept.delete(key);
    }
  }

  /** @returns the count that it had */
  function removeLowest(): number {
    let lowest: [string, Kept] | undefined;
    for (const one of kept) {
      if (lowest === undefined || one[1].count < lowest[1].count) lowest = one;
      if (lowest[1].count <= lowestCount) break;
    }
    if (lowest === undefined) return 0;
    kept.delete(lowest[0]);
    lowestCount = lowest[1].count;
    return lowestCount;
  }

  return {
    add(key) {
      const atMs = nowMs();
      removeEnded(atMs);
      const shortKey = shorten(key);
      let own = kept.get(shortKey);
      if (own === undefined) {
        const isRoom = kept.size < mostKeys;
        if (isRoom) lowestCount = 1;
        own = { count: isRoom ? 0 : removeLowest(), endsAtMs: atMs + windowMs };
        kept.set(shortKey, own);
      }
      own.count += 1;
      return { count: own.count, endsInMs: own.endsAtMs - atMs };
    },

    takeBack(key) {
      const shortKey = shorten(key);
      const own = kept.get(shortKey);
      if (own === undefined) return;
      own.count -= 1;
      lowestCount = Math.min(lowestCount, Math.max(own.count, 1));
      if (own.count === 0) kept.delete(shortKey);
    },

    size: () => kept.size,
  };
}

/** Whatever somebody types takes the same little room. */
function shorten(key: string): string {
  return hash("sha256", key, "base64url");
}
