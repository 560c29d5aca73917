/** Posts what load.ts hands over, one load after another, and tells how long each took. */
import { setTimeout as delay } from "node:timers/promises";
import { openConnection, requestBytes, type Connection } from "./connection.ts";
import type { LoadOrder, LoadReport } from "./load.ts";

process.on("message", (order: LoadOrder) => {
  void run(order).then(tell, tell);
});
// Also if the bench was killed.
process.once("disconnect", () => process.exit());

function tell(outcome: LoadReport | Error): void {
  process.send?.(outcome);
}

/** Whatever is not a part of asking and being answered is done before the clock starts, or after it. */
async function run(order: LoadOrder): Promise<LoadReport> {
  const { url, connections: count, expected, connectionEach = false } = order;
  const requests = order.requests.map((each) => requestBytes(url, each));
  if (connectionEach) {
    const alone = { ask: (request: Buffer) => askAlone(url, expected, request) };
    return post(
      requests,
      Array.from({ length: count }, () => alone),
      order.perSecond,
    );
  }
  const opening = Array.from({ length: count }, () => openConnection(url, expected));
  const connections = await Promise.all(opening);
  try {
    return await post(requests, connections, order.perSecond);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Over a connection of its own, which closes with the answer. */
async function askAlone(url: string, expected: number, request: Buffer): Promise<void> {
  const connection = await openConnection(url, expected);
  try {
    await connection.ask(request);
  } finally {
    connection.close();
  }
}

async function post(
  requests: readonly Buffer[],
  connections: readonly Pick<Connection, "ask">[],
  perSecond?: number,
): Promise<LoadReport> {
  const took: number[] = [];
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const left = requests.entries();
  const next = async (connection: Pick<Connection, "ask">): Promise<void> => {
    // One iterator for all: each takes the next that nobody has taken, so that one that is late is asked as soon as any is free.
    for (const [index, request] of left) {
      const dueMs =
        perSecond === undefined ? performance.now() : startMs + (index * 1000) / perSecond;
      await until(dueMs);
      await connection.ask(request);
      took.push(performance.now() - dueMs);
    }
  };
  await Promise.all(connections.map(next));
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  took.sort((one, other) => one - other);
  const at = (part: number): number => took[Math.floor(took.length * part)] ?? Number.NaN;
  return {
    perSecond: requests.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuUs: (user + system) / requests.length,
  };
}

/** At most about a millisecond late: timers count whole ones, and waiting for less would take a core of the server's. */
async function until(dueMs: number): Promise<void> {
  for (;;) {
    const earlyMs = dueMs - performance.now();
    if (earlyMs <= 0) return;
    await delay(Math.ceil(earlyMs));
  }
}
