import { execFile } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Sink } from "../send/sink.ts";
import type { ServerProcess } from "./process.ts";

const sampleMs = 200;

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
  hosts: readonly string[] = pushHosts,
): NodeJS.ProcessEnv {
  const routes = hosts.map((host) => `${host}=127.0.0.1:${port}`);
  return {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caFile,
    SINETA_DATA: dataFolder,
    SINETA_PORT: "0",
    SINETA_PUSH_ROUTES: routes.join(),
    SINETA_LOG_LEVEL: "warn",
  };
}

/** How far a broadcast is: so many were accepted, and when it ended, if it has. */
type Progress = { readonly accepted: number; readonly seconds: number | null };

/** A broadcast that is under way. */
export type Broadcast = {
  readonly id: string;
  readonly progress: () => Progress;
  /** Resolves once it is done, looking again and again. @param look what else to look at each time */
  readonly done: (look?: (progress: Progress) => void) => Promise<{ seconds: number }>;
};

/** Starts a message to all, by the command line. @param env of the server that will send it */
export async function startBroadcast(env: NodeJS.ProcessEnv): Promise<Broadcast> {
  const words = ["--to", "all", "--title", "Bolo", "--body", "Saiu do forno agora há pouco"];
  const command = [sineta, "send", ...words, "--no-wait"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const id = stdout.split(" ")[0] ?? "";
  const file = join(env["SINETA_DATA"] ?? "", "sineta.db");
  const progress = () => progressOf(file, id);
  return {
    id,
    progress,
    async done(look = () => undefined) {
      for (;;) {
        const now = progress();
        look(now);
        if (now.seconds !== null) return { seconds: now.seconds };
        await delay(sampleMs);
      }
    },
  };
}

function progressOf(file: string, id: string): Progress {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const message = database
      .prepare("select state, accepted, created_at_ms, ended_at_ms from messages where id = ?")
      .get(id);
    const tookMs = Number(message?.["ended_at_ms"]) - Number(message?.["created_at_ms"]);
    return {
      accepted: Number(message?.["accepted"]),
      seconds: message?.["state"] === "done" ? tookMs / 1000 : null,
    };
  } finally {
    database.close();
  }
}

/** What the server held in memory when so many had been accepted. */
export type Sample = { readonly accepted: number; readonly residentMb: number };

/** Sends to all and waits for the end. @throws unless at least so many were accepted */
export async function broadcast(server: ServerProcess, env: NodeJS.ProcessEnv, size: number) {
  const cpuBefore = server.cpuSeconds();
  const { id, progress, done } = await startBroadcast(env);
  const samples: Sample[] = [];
  const { seconds } = await done(({ accepted }) =>
    samples.push({ accepted, residentMb: server.memory().nowMb }),
  );
  const { accepted } = progress();
  if (accepted < size) throw new Error(`accepted: ${accepted} of ${size}`);
  return { id, seconds, cpuSeconds: server.cpuSeconds() - cpuBefore, samples };
}
