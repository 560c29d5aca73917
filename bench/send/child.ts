/** One sender in a process of its own, so that nothing else is in its figures: `node child.ts NAME`. */
import type { Order, Prepare, Report } from "./contender.ts";

const inFlight = 100;

const name = process.argv[2] ?? "";
const { prepare }: { prepare: Prepare } = await import(`./${name}.ts`);
let sender: Awaited<ReturnType<Prepare>> | undefined;
let places = 0;

process.on("message", (order: Order) => {
  void obey(order);
});

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case "prepare":
      places = order.task.endpoints.length;
      sender = await prepare(order.task);
      tell({ kind: "ready" });
      return;
    case "send":
      tell(await sendAll(order.count));
      return;
    case "end":
      await sender?.close();
      process.disconnect?.();
      return;
    default:
      order satisfies never;
  }
}

async function sendAll(count: number): Promise<Report> {
  if (sender === undefined) throw new Error("nothing is prepared");
  const { sendOne } = sender;
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  let turn = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (turn < count) {
        turn += 1;
        await sendOne(turn % places);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { kind: "sent", seconds, cpuSeconds: (user + system) / 1_000_000 };
}

function tell(report: Report): void {
  process.send?.(report);
}
