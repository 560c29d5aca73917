import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { browserHeaders } from "./browser-headers.ts";
import type { Prepared } from "./load.ts";

const script = fileURLToPath(new URL("floor.ts", import.meta.url));

/** Starts floor.ts in a process of its own. @param file of its database */
export async function startFloor(file: string) {
  const child = spawn(process.execPath, [script, file], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const failed = exited.then(([code]) => {
    throw new Error(`floor.ts ended with ${code}`);
  });
  const [port] = await Promise.race([once(createInterface(child.stdout), "line"), failed]);
  // As long as a registration.
  const body = JSON.stringify({ endpoint: "x".repeat(300), keys: "x".repeat(120) });
  const url = `http://127.0.0.1:${port}/`;
  const own = { Origin: new URL(url).origin, "Content-Type": "application/json" };
  return {
    url,
    requests: (count: number): Prepared[] =>
      Array.from({ length: count }, (_, index) => ({
        headers: { ...browserHeaders(index, url), ...own },
        body,
      })),
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
