import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const bin = fileURLToPath(new URL("../../bin/push-lab.mjs", import.meta.url));

/** What was started and has not ended yet. */
export const running = new Set<ChildProcess>();

export function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Runs the command and reads its lines one by one. */
export function run(args: readonly string[], nodeOptions: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, bin, ...args]);
  running.add(child);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the command ended: ${complaint}`);
    return value;
  };
  const ended = once(child, "close").then(([exitCode]: unknown[]) => {
    running.delete(child);
    return { exitCode, complaint };
  });
  return { child, nextLine, ended };
}
