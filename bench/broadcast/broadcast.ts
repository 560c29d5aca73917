import { execFile } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Sink } from "../send/sink.ts";
import type { ServerProcess } from "./process.ts";

const sampleMs = 500;

/** Chrome, Firefox and Safari, as the browsers of a site are spread. */
export const pushOrigins = [
  ...Array.from({ length: 8 }, () => "https://fcm.googleapis.com"),
  "https://updates.push.services.mozilla.com",
  "https://web.push.apple.com",
];

/** Their hosts, which the sink plays. */
export const pushHosts = [...new Set(pushOrigins)].map((origin) => new URL(origin).hostname);

const sineta = fileURLToPath(import.meta.resolve("../../packages/server/bin/sineta.mjs"));

/** Of a server whose pushes all go to the sink. */
export function broadcastEnvironment(
  { port, caFile }: Sink,
  dataFolder: string,
): NodeJS.ProcessEnv {
  const routes = pushHosts.map((host) => `${host}=127.0.0.1:${port}`);
  return {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caFile,
    SINETA_DATA: dataFolder,
    SINETA_PORT: "0",
    SINETA_PUSH_ROUTES: routes.join(),
    SINETA_LOG_LEVEL: "warn",
  };
}

/** Sends to all and waits for the end. @param size how many all are */
export async function broadcast(server: ServerProcess, env: NodeJS.ProcessEnv, size: number) {
  const words = [
    "send",
    "--to",
    "all",
    "--title",
    "Bolo",
    "--body",
    "Saiu do forno agora há pouco",
    "--no-wait",
  ];
  const cpuBefore = server.cpuSeconds();
  const startedMs = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [sineta, ...words], { env });
  const id = stdout.split(" ")[0] ?? "";
  const samples: string[] = [];
  for (let nextMs = 0; !isDone(env["SINETA_DATA"] ?? "", id, size);) {
    await delay(sampleMs);
    if (performance.now() < nextMs) continue;
    samples.push(server.memory().nowMb.toFixed(0));
    nextMs = performance.now() + 10_000;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return { id, seconds, cpuSeconds: server.cpuSeconds() - cpuBefore, samples };
}

function isDone(dataFolder: string, id: string, size: number): boolean {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
  try {
    const message = database.prepare("select state from messages where id = ?").get(id);
    if (message?.["state"] !== "done") return false;
    const counts = database
      .prepare("select sum(accepted) as accepted from batches where message_id = ?")
      .get(id);
    // More, if some have registered meanwhile.
    if (Number(counts?.["accepted"]) < size)
      throw new Error(`accepted: ${String(counts?.["accepted"])} of ${size}`);
    return true;
  } finally {
    database.close();
  }
}
