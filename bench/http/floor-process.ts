import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Prepared } from "./load.ts";

const script = fileURLToPath(new URL("floor.ts", import.meta.url));

/** Starts floor.ts in a process of its own. @param file of its database */
export async function startFloor(file: string) {
  const child = spawn(process.execPath, [script, file], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [port] = await once(createInterface(child.stdout), "line");
  // As long as a registration.
  const body = JSON.stringify({ endpoint: "x".repeat(300), keys: "x".repeat(120) });
  return {
    url: `http://127.0.0.1:${port}/`,
    requests: (count: number): Prepared[] =>
      Array.from({ length: count }, () => ({ headers: {}, body })),
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
