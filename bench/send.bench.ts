import { fork, type ChildProcess } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { payloadOf } from "../packages/server/src/delivery/payload.ts";
import { generateVapidKeys } from "../packages/server/src/webpush/vapid.ts";
import type { Bench } from "./bench.ts";
import { spreadOf } from "./rounds.ts";
import type { Order, Report, Task } from "./send/contender.ts";
import { messageOf } from "./send/sineta.ts";
import { startSink, type Sink } from "./send/sink.ts";

const child = fileURLToPath(new URL("send/child.ts", import.meta.url));
const peer = "web-push";
/** Modules of bench/send. */
const names = ["sineta", "sineta-one-thread", peer, "pushforge"] as const;
const subscriptions = 1_000;
const pushes = 8_000;
const rounds = 7;
const notification = {
  title: "Pão quente",
  body: "Saiu do forno agora há pouco, e o café também.",
};
/** As many times as many pushes per CPU second as web-push, or the full run fails. */
const leastRatio = 4;

type Figures = { perSecond: number[]; perCpuSecond: number[] };

/**
 * Pushes sent, per second and per CPU second, a hundred in flight, into the same nginx. Senders are processes of their
 * own and take turns; the sink's work is in nobody's CPU time, and takes the same part of the machine from each.
 */
export const sendBench: Bench = {
  name: `sent messages, TLS, ${rounds} rounds of ${pushes} each, to nginx beside it`,
  onlyLong: true,
  async run() {
    const sink = await startSink();
    const senders = names.map((name) => startSender(name, sink));
    try {
      const task = taskFor(sink);
      for (const sender of senders) await sender.tell({ kind: "prepare", task });
      for (const sender of senders) await sender.tell({ kind: "send", count: pushes });
      for (let round = 0; round < rounds; round += 1) {
        for (const { tell, figures } of senders) {
          const report = await tell({ kind: "send", count: pushes });
          if (report.kind !== "sent") throw new Error("a sender did not send");
          figures.perSecond.push(pushes / report.seconds);
          figures.perCpuSecond.push(pushes / report.cpuSeconds);
        }
      }
      return { passed: print(senders) };
    } finally {
      await Promise.all(senders.map((sender) => sender.end()));
      await sink.close();
    }
  },
};

function startSender(name: (typeof names)[number], { caFile }: Sink) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile };
  const process_ = fork(child, [name], { env });
  const figures: Figures = { perSecond: [], perCpuSecond: [] };
  return {
    name,
    figures,
    tell: (order: Order) => ask(process_, order),
    async end() {
      const exited = once(process_, "exit");
      if (process_.connected) process_.send({ kind: "end" });
      await exited;
    },
  };
}

async function ask(process_: ChildProcess, order: Order): Promise<Report> {
  process_.send(order);
  const gone = once(process_, "exit").then(() => {
    throw new Error("a sender ended");
  });
  const [report] = await Promise.race([once(process_, "message"), gone]);
  return report;
}

/** One for each subscription. */
function make<Each>(each: () => Each): Each[] {
  return Array.from({ length: subscriptions }, each);
}

function taskFor({ port }: Sink): Task {
  return {
    endpoints: make(
      () => `https://localhost:${port}/wpush/${randomBytes(100).toString("base64url")}`,
    ),
    p256dh: make(() => createECDH("prime256v1").generateKeys("base64url")),
    auth: make(() => randomBytes(16).toString("base64url")),
    ...generateVapidKeys(),
    subject: "mailto:ops@example.com",
    port,
    notification,
    plaintextBytes: payloadOf(messageOf(notification), "https://site.example").bytes,
    ttlSeconds: 3_600,
  };
}

function print(senders: readonly { name: string; figures: Figures }[]): boolean {
  const base = senders.find(({ name }) => name === peer)?.figures;
  if (base === undefined) throw new Error("the peer was not measured");
  let least = Number.POSITIVE_INFINITY;
  for (const { name, figures } of senders) {
    const [wall, cpu] = [spreadOf(figures.perSecond), spreadOf(figures.perCpuSecond)];
    const times = (key: keyof Figures) =>
      spreadOf(figures[key].map((rate, round) => rate / (base[key][round] ?? Number.NaN))).median;
    if (name.startsWith("sineta")) least = Math.min(least, times("perCpuSecond"));
    console.log(
      `  ${name.padEnd(18)} ${Math.round(wall.median).toString().padStart(6)} /s (${times("perSecond").toFixed(2)} x ${peer})   ${Math.round(cpu.median).toString().padStart(6)} per CPU second (${times("perCpuSecond").toFixed(2)} x; ${Math.round(cpu.least)} to ${Math.round(cpu.most)})`,
    );
  }
  if (least < leastRatio)
    console.log(`  FAILED: ${leastRatio} times ${peer} per CPU second is the bound`);
  return least >= leastRatio;
}
