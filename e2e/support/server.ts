import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { keepLog, keepsLogs } from "./kept-logs.ts";

const ownCommand = fileURLToPath(import.meta.resolve("../../packages/server/bin/sineta.mjs"));

/** `sineta serve` as a child process, on a data folder of its own. */
export type SinetaServer = {
  /** Where its site is, as it prints it. */
  url: string;
  /** The link that makes its first operator, as it prints it. */
  firstLink: () => Promise<string>;
  /** Its data folder. */
  data: string;
  /** Runs another `sineta` command on the same data folder. */
  run: (...args: string[]) => Promise<{ status: number; stdout: string; stderr: string }>;
  /** Ends it at once (SIGKILL), and leaves the data folder for `start`. */
  kill: () => Promise<void>;
  /** Starts it again on the same data folder and port. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Starts it and resolves once it says that it is ready.
 *
 * @param command which `sineta` to run: by default the checkout's
 */
export async function startServer(
  environment: Record<string, string>,
  command: string = ownCommand,
): Promise<SinetaServer> {
  const keeper = keepsLogs() ? keepLog() : null;
  const onLog = (text: string) => keeper?.write(text);
  const data = await mkdtemp(join(tmpdir(), "sineta-e2e-"));
  const env = {
    ...process.env,
    SINETA_DATA: data,
    SINETA_PORT: String(await freePort()),
    // All browsers of the tests have one address.
    SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
    SINETA_RECEIPTS_PER_MINUTE: "1000000",
    ...(keeper === null ? {} : { SINETA_LOG_LEVEL: "trace" }),
    ...environment,
  };
  let serving: Awaited<ReturnType<typeof serve>>;

  async function end(signal: NodeJS.Signals) {
    const { child } = serving;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  serving = await serve(command, env, onLog);
  return {
    url: serving.url,
    firstLink: () => serving.firstLink,
    data,
    run: (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) =>
          resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
        );
      }),
    kill: () => end("SIGKILL"),
    async start() {
      serving = await serve(command, env, onLog);
    },
    async stop() {
      await end("SIGTERM");
      await keeper?.finish(data);
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function serve(
  command: string,
  env: NodeJS.ProcessEnv,
  onLog: (text: string) => void,
): Promise<{ child: ChildProcess; url: string; firstLink: Promise<string> }> {
  const child = spawn(process.execPath, [command, "serve"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (part) => {
    output += part;
    onLog(String(part));
  });
  const link = Promise.withResolvers<string>();
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      output += `${line}\n`;
      const found = /\S+\/painel\/convite#[\w-]+/.exec(line)?.[0];
      if (found) link.resolve(found);
      const ready = /^Sineta is ready: (\S+)/.exec(line);
      if (ready?.[1]) resolve(ready[1]);
    });
    child.once("exit", () => reject(new Error(`sineta serve ended:\n${output}`)));
  });
  return { child, url, firstLink: link.promise };
}

/** Each worker of a test runner has so many ports of its own, so that no two take the same one. */
const portsPerWorker = 1_000;
const worker = Number(process.env["TEST_PARALLEL_INDEX"] ?? process.env["VITEST_POOL_ID"] ?? 0);
/** Below the ports that Linux gives out by itself (ip_local_port_range: 32768 and above). */
const firstPort = 11_000 + (worker % 20) * portsPerWorker;
let portsTried = Math.floor(Math.random() * portsPerWorker);

/** A port that is free: a public address must be known before the server starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (portsTried % portsPerWorker);
    portsTried += 1;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().listen(port, "127.0.0.1");
    probe.once("error", () => resolve(false));
    probe.once("listening", () => probe.close(() => resolve(true)));
  });
}
