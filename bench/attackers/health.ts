import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const everyMs = 20;

export type Health = {
  /** Milliseconds that each answer took, from when its request was due: requests that wait behind a slow one count as well. */
  readonly stop: () => Promise<number[]>;
};

/** Asks a server for `/healthz` over one connection at a steady pace. */
export function watchHealth(site: string): Health {
  const url = new URL("/healthz", site);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const startMs = performance.now();
  let endMs = Infinity;

  async function watch(): Promise<number[]> {
    const took: number[] = [];
    for (let dueMs = startMs; dueMs < endMs; dueMs += everyMs) {
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await delay(earlyMs);
      const asked = get(url, { agent });
      const [answer]: IncomingMessage[] = await once(asked, "response");
      await answer?.toArray();
      took.push(performance.now() - dueMs);
    }
    return took;
  }

  const watched = watch();
  // Whoever stops hears of what went wrong before.
  watched.catch(() => undefined);
  return {
    async stop() {
      endMs = performance.now();
      const took = await watched;
      agent.destroy();
      return took;
    },
  };
}

export function quantileOf(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}
