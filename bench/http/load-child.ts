/** Posts what load.ts hands over, and tells how long it took. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Load, LoadReport, Prepared } from "./load.ts";

process.once("message", (order: Load) => {
  void run(order);
});

async function run({ url, connections, perSecond, expected, requests }: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];

  async function post({ headers, body }: Prepared, dueMs: number): Promise<void> {
    const asked = request(url, { method: "POST", agent, headers });
    asked.end(body);
    const [answer] = await once(asked, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    if (answer.statusCode !== expected) {
      throw new Error(`${answer.statusCode}: ${Buffer.concat(chunks).toString()}`);
    }
    took.push(performance.now() - dueMs);
  }

  const startMs = performance.now();
  if (perSecond === undefined) {
    const left = requests.values();
    const next = async (): Promise<void> => {
      // One iterator for all: each takes the next that nobody has taken.
      for (const each of left) await post(each, performance.now());
    };
    await Promise.all(Array.from({ length: connections }, next));
  } else {
    const all: Promise<void>[] = [];
    for (const [index, each] of requests.entries()) {
      const dueMs = startMs + (index * 1000) / perSecond;
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await delay(earlyMs);
      all.push(post(each, dueMs));
    }
    await Promise.all(all);
  }
  const seconds = (performance.now() - startMs) / 1000;
  agent.destroy();
  took.sort((one, other) => one - other);
  const at = (part: number): number => took[Math.floor(took.length * part)] ?? Number.NaN;
  const report: LoadReport = { perSecond: requests.length / seconds, p50: at(0.5), p99: at(0.99) };
  process.send?.(report, () => process.disconnect?.());
}
