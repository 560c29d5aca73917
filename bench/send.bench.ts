import type { Bench } from "./bench.ts";
import { spreadOf } from "./rounds.ts";
import { sendSome, startSender, taskFor } from "./send/sender.ts";
import { startSink } from "./send/sink.ts";
import { tableOf } from "./table.ts";

const peer = "web-push";
/** Modules of bench/send, and how many pushes of each make one round: of the slow ones fewer, so that there can be more rounds. */
const contenders = [
  { name: "sineta", pushes: 8_000 },
  { name: "sineta-one-thread", pushes: 8_000 },
  { name: peer, pushes: 4_000 },
  { name: "pushforge", pushes: 2_000 },
  { name: "floor", pushes: 8_000 },
] as const;
const warmUp = 16_000;
const rounds = 15;
/** As many times as many pushes per CPU second as web-push, or the full run fails. */
const leastRatio = 4;

type Figures = { perSecond: number[]; perCpuSecond: number[] };

/**
 * Pushes sent, per second and per CPU second, a hundred in flight, into the same nginx. Senders are processes of their
 * own and take turns; the sink's work is in nobody's CPU time, and takes the same part of the machine from each.
 */
export const sendBench: Bench = {
  name: `sent messages, TLS, ${rounds} rounds, to nginx beside it`,
  onlyLong: true,
  async run() {
    const sink = await startSink();
    const senders = contenders.map(({ name, pushes }) => {
      const figures: Figures = { perSecond: [], perCpuSecond: [] };
      return Object.assign(startSender(name, sink), { pushes, figures });
    });
    try {
      const task = taskFor(sink);
      for (const sender of senders) await sender.tell({ kind: "prepare", task });
      // V8 still compiles as the first ten thousand go out, and on both cores each thread sends only half of them.
      for (const sender of senders) await sendSome(sender, warmUp);
      for (let round = 0; round < rounds; round += 1) {
        for (const sender of senders) {
          const { pushes } = sender;
          const { seconds, cpuSeconds } = await sendSome(sender, pushes);
          sender.figures.perSecond.push(pushes / seconds);
          sender.figures.perCpuSecond.push(pushes / cpuSeconds);
        }
      }
      return { passed: print(senders) };
    } finally {
      await Promise.all(senders.map((sender) => sender.end()));
      await sink.close();
    }
  },
};

function print(senders: readonly { name: string; figures: Figures }[]): boolean {
  const base = senders.find(({ name }) => name === peer)?.figures;
  if (base === undefined) throw new Error("the peer was not measured");
  let least = Number.POSITIVE_INFINITY;
  const rows = senders.map(({ name, figures }) => {
    const times = (key: keyof Figures) =>
      spreadOf(figures[key].map((rate, round) => rate / (base[key][round] ?? Number.NaN))).median;
    if (name.startsWith("sineta")) least = Math.min(least, times("perCpuSecond"));
    const [wall, cpu] = [spreadOf(figures.perSecond), spreadOf(figures.perCpuSecond)];
    return [
      name,
      wall.median.toFixed(0),
      times("perSecond").toFixed(2),
      cpu.median.toFixed(0),
      times("perCpuSecond").toFixed(2),
      `${cpu.least.toFixed(0)} to ${cpu.most.toFixed(0)}`,
    ];
  });
  const head = ["", "per second", `x ${peer}`, "per CPU second", `x ${peer}`, "lowest and highest"];
  console.log(tableOf([head, ...rows]));
  if (least < leastRatio)
    console.log(`FAILED: ${leastRatio} times ${peer} per CPU second is the bound`);
  return least >= leastRatio;
}
