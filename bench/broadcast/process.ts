import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Clock ticks of /proc, which every Linux that Node runs on counts a hundred of per second. */
const ticksPerSecond = 100;

const command = fileURLToPath(new URL("built-server.mjs", import.meta.url));

export type ServerProcess = {
  readonly url: string;
  /** The link that makes its first operator. @throws Error if the server ends without one */
  readonly firstLink: () => Promise<string>;
  /** Memory that is in use now, and the most that ever was, in MB (VmRSS and VmHWM of Linux). */
  readonly memory: () => { nowMb: number; mostMb: number };
  /** CPU time of all its threads so far. */
  readonly cpuSeconds: () => number;
  readonly stop: () => Promise<void>;
};

/**
 * `sineta serve` as a process of its own, whose memory and CPU time are read from /proc.
 * @param stderr where its log goes: this process's stderr, or an open file
 */
export async function startServerProcess(
  env: NodeJS.ProcessEnv,
  stderr: "inherit" | number = "inherit",
): Promise<ServerProcess> {
  // Which is the bench's own, and the server would say that it knows no such setting.
  const { SINETA_SEEDED: _, ...environment } = env;
  const child = spawn(process.execPath, [command, "serve"], {
    env: environment,
    stdio: ["ignore", "pipe", stderr],
  });
  const { pid, stdout } = child;
  if (stdout === null) throw new Error("sineta serve has no pipe to write to");
  const exited = once(child, "exit");
  const link = Promise.withResolvers<string>();
  // Most benchmarks do not ask for it.
  link.promise.catch(() => undefined);
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(stdout).on("line", (line) => {
      const found = /\S+\/painel\/convite#[\w-]+/.exec(line)?.[0];
      if (found !== undefined) link.resolve(found);
      const ready = /^Sineta is ready: (\S+)/.exec(line)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    void exited.then(([code]) => {
      const error = new Error(`sineta serve ended with ${code}`);
      reject(error);
      link.reject(error);
    });
  });
  return {
    url,
    firstLink: () => link.promise,
    memory() {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const mb = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
      return { nowMb: mb("VmRSS"), mostMb: mb("VmHWM") };
    },
    cpuSeconds() {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
