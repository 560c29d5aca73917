import { createECDH, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { payloadOf } from "../../packages/server/src/delivery/payload.ts";
import { generateVapidKeys } from "../../packages/server/src/webpush/vapid.ts";
import { startAskedProcess } from "../asked-process.ts";
import type { Order, Report, Task } from "./contender.ts";
import { messageOf } from "./sineta.ts";
import type { Sink } from "./sink.ts";

const child = fileURLToPath(new URL("child.ts", import.meta.url));
const subscriptions = 1_000;
const notification = {
  title: "Pão quente",
  body: "Saiu do forno agora há pouco, e o café também.",
};

export type Sender = {
  readonly name: string;
  readonly tell: (order: Order) => Promise<Report>;
  readonly end: () => Promise<void>;
};

/** One sender in a process of its own. @param name a module of bench/send that exports `prepare` */
export function startSender(name: string, { caFile }: Sink): Sender {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile };
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const { ask, end } = startAskedProcess<Order, Report>(child, [name], { env, execArgv });
  return { name, tell: ask, end: () => end({ kind: "end" }) };
}

/** Lets it send so many. @returns what that took */
export async function sendSome({ tell }: Sender, count: number) {
  const report = await tell({ kind: "send", count });
  if (report.kind !== "sent") throw new Error("a sender did not send");
  return report;
}

/** One for each subscription. */
function make<Each>(each: () => Each): Each[] {
  return Array.from({ length: subscriptions }, each);
}

/** The same subscriptions and message for all. */
export function taskFor({ port }: Sink): Task {
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
