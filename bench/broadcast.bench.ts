import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { broadcast, broadcastEnvironment, pushHosts } from "./broadcast/broadcast.ts";
import { fill } from "./broadcast/fill.ts";
import { growthOf } from "./broadcast/growth.ts";
import { startServerProcess } from "./broadcast/process.ts";
import { spreadOf } from "./rounds.ts";
import { sendSome, startSender, taskFor, type Sender } from "./send/sender.ts";
import { startSink } from "./send/sink.ts";
import { tableOf } from "./table.ts";

/** How often each is sent to: the largest takes minutes. */
const sizes = [
  { size: 10_000, times: 3 },
  { size: 100_000, times: 3 },
  { size: 1_000_000, times: 1 },
];
/** Resident memory that a broadcast may take, whatever its size. */
const mostMb = 300;
/** A push of the largest may take so many times as long as one of the size before. */
const mostRatio = 1.5;
/** Bytes by which memory may grow with each registration of the largest: it is to be flat. */
const mostGrowth = 100;
/** What a broadcast is measured against, each time anew: modules of bench/send, and what they send. */
const contenders = [
  { name: "sineta", pushes: 8_000 },
  { name: "web-push", pushes: 3_000 },
] as const;

type Run = {
  seconds: number;
  cpuSeconds: number;
  mostMb: number;
  growth: number;
  /** As many times as many per second as each contender, just before and just after it. */
  ratios: number[];
};

/** One message to all of so many registrations, from SQLite to a sink beside it: how long it takes, and in how much memory. */
export const broadcastBench: Bench = {
  name: "broadcast: from the database to nginx beside it, over TLS and HTTP/2",
  onlyLong: true,
  async run() {
    const sink = await startSink(pushHosts);
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const environment = broadcastEnvironment(sink, folder);
    const senders = contenders.map(({ name, pushes }) => ({
      sender: startSender(name, sink),
      pushes,
    }));
    try {
      const task = taskFor(sink);
      for (const { sender, pushes } of senders) {
        await sender.tell({ kind: "prepare", task });
        await sendSome(sender, pushes);
      }
      const measured: { size: number; runs: Run[] }[] = [];
      for (const { size, times } of sizes) {
        await fill(folder, size);
        const runs: Run[] = [];
        while (runs.length < times) {
          const run = await runOnce(environment, size, senders);
          runs.push(run);
          console.log(`sent to ${size.toLocaleString("en")} in ${run.seconds.toFixed(1)} s`);
        }
        measured.push({ size, runs });
      }
      return { passed: print(measured) };
    } finally {
      await Promise.all(senders.map(({ sender }) => sender.end()));
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Each time with a server of its own, so that the memory is that of one broadcast. */
async function runOnce(
  environment: NodeJS.ProcessEnv,
  size: number,
  senders: readonly { sender: Sender; pushes: number }[],
): Promise<Run> {
  const before = await ratesOf(senders);
  const sent = await sendOnce(environment, size);
  const after = await ratesOf(senders);
  const ratios = before.map((rate, index) => {
    const mean = (rate + (after[index] ?? Number.NaN)) / 2;
    return size / sent.seconds / mean;
  });
  return { ...sent, ratios };
}

async function sendOnce(
  environment: NodeJS.ProcessEnv,
  size: number,
): Promise<Omit<Run, "ratios">> {
  const server = await startServerProcess(environment);
  try {
    const { seconds, cpuSeconds, samples } = await broadcast(server, environment, size);
    const memory = server.memory();
    return { seconds, cpuSeconds, mostMb: memory.mostMb, growth: growthOf(samples, size) };
  } finally {
    await server.stop();
  }
}

/** How many each sends per second. */
async function ratesOf(senders: readonly { sender: Sender; pushes: number }[]): Promise<number[]> {
  const rates: number[] = [];
  for (const { sender, pushes } of senders) {
    const { seconds } = await sendSome(sender, pushes);
    rates.push(pushes / seconds);
  }
  return rates;
}

function print(measured: readonly { size: number; runs: readonly Run[] }[]): boolean {
  const rows = measured.map(({ size, runs }) => {
    const median = (of: (run: Run) => number) => spreadOf(runs.map(of)).median;
    return {
      perPushUs: (median(({ seconds }) => seconds) / size) * 1e6,
      most: Math.max(...runs.map((run) => run.mostMb)),
      growth: median((run) => run.growth),
      cells: [
        `${size.toLocaleString("en")}, ${runs.length === 1 ? "once" : `median of ${runs.length}`}`,
        `${median(({ seconds }) => seconds).toFixed(1)} s`,
        median(({ seconds }) => size / seconds).toFixed(0),
        ...contenders.map((_, index) =>
          median(({ ratios }) => ratios[index] ?? Number.NaN).toFixed(2),
        ),
        `${median(({ cpuSeconds }) => (cpuSeconds / size) * 1e6).toFixed(0)} us`,
      ],
    };
  });
  const head = [
    "broadcast to",
    "time",
    "per second",
    "x its threads alone",
    "x web-push",
    "CPU per push",
    "resident, at most",
    "growth per registration",
  ];
  const memory = rows.map(({ most, growth }) => [
    `${most.toFixed(0)} MB`,
    `${growth.toFixed(0)} B`,
  ]);
  console.log(
    tableOf([head, ...rows.map(({ cells }, index) => [...cells, ...(memory[index] ?? [])])]),
  );
  const [before, last] = rows.slice(-2).map(({ perPushUs }) => perPushUs);
  const ratio = (last ?? Number.NaN) / (before ?? Number.NaN);
  console.log(`Its threads alone: the same pushes from memory, without a database. Growth: of resident memory between a tenth of the
run and its end. A push of the largest takes ${ratio.toFixed(2)} times as long as one of the size before.`);
  const isSmall = rows.every(({ most }) => most <= mostMb);
  const isFlat = (rows.at(-1)?.growth ?? Number.NaN) <= mostGrowth;
  const isLinear = ratio <= mostRatio;
  if (!isSmall) console.log(`FAILED: at most ${mostMb} MB, whatever the size`);
  if (!isFlat) console.log(`FAILED: at most ${mostGrowth} B of growth for the largest`);
  if (!isLinear) console.log(`FAILED: a push of the largest takes at most ${mostRatio} times`);
  return isSmall && isFlat && isLinear;
}
