import { hash } from "node:crypto";

export type Counts = {
  /** Counts one more of this key. @returns how many there are, and after how many milliseconds the key begins anew */
  add(key: string): { count: number; endsInMs: number };
  /** Makes one not have been. */
  takeBack(key: string): void;
  /** How many keys are kept. */
  size(): number;
};

/** What is forgotten at once where there is no room: so that looking for the lowest costs little for each key. */
const forgottenAtOnce = 0.1;

/**
 * Counts by key, in memory, each key within a window that begins with its first count. At most `mostKeys` are kept,
 * however many strangers make up: then a tenth is forgotten, the lowest counts, of these the oldest. For a window's time
 * keys that are new begin with the highest count that was forgotten. So a count never reads too low, whatever others do:
 * a key that was forgotten and comes back does not begin at nought. It reads too high by about all that was counted
 * within a window, divided by `mostKeys`.
 */
export function createCounts({
  windowMs,
  mostKeys,
  nowMs = () => performance.now(),
}: {
  windowMs: number;
  mostKeys: number;
  /** Never goes back. */
  nowMs?: (() => number) | undefined;
}): Counts {
  // Windows are equally long, so this is also the order in which they end.
  const kept = new Map<string, { count: number; endsAtMs: number }>();
  let firstEndsAtMs = -Infinity;
  let forgotten = { count: 0, endsAtMs: -Infinity };

  function removeEnded(atMs: number): void {
    if (forgotten.endsAtMs <= atMs) forgotten.count = 0;
    // A map passes over what was deleted from its front one by one: not for each count.
    if (firstEndsAtMs > atMs) return;
    firstEndsAtMs = atMs + windowMs;
    for (const [key, { endsAtMs }] of kept) {
      if (endsAtMs > atMs) {
        firstEndsAtMs = endsAtMs;
        return;
      }
      kept.delete(key);
    }
  }

  function makeRoom(atMs: number): void {
    let surplus = Math.ceil(mostKeys * forgottenAtOnce);
    const counts = Float64Array.from(kept.values(), ({ count }) => count).toSorted();
    const highest = counts[surplus - 1] ?? 0;
    for (const [key, { count }] of kept) {
      if (count > highest) continue;
      kept.delete(key);
      surplus -= 1;
      if (surplus === 0) break;
    }
    forgotten = { count: Math.max(highest, forgotten.count), endsAtMs: atMs + windowMs };
  }

  return {
    add(key) {
      const atMs = nowMs();
      removeEnded(atMs);
      const shortKey = shorten(key);
      let own = kept.get(shortKey);
      if (own === undefined) {
        if (kept.size >= mostKeys) makeRoom(atMs);
        own = { count: forgotten.count, endsAtMs: atMs + windowMs };
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
      // The key would begin with as many.
      if (own.count <= forgotten.count) kept.delete(shortKey);
    },

    size: () => kept.size,
  };
}

/** Whatever somebody types takes the same little room. */
function shorten(key: string): string {
  return hash("sha256", key, "base64url");
}
