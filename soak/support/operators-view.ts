import type { Status } from "../../packages/server/src/commands/status.ts";
import type { Scene } from "./scene.ts";

/** A breaker that is open, as somebody sees it. */
export type OpenBreaker = { pushOrigin: string; reason: string };

/** What whoever runs the server sees of breakers. */
export type OperatorsView = {
  /** At `/metrics`. */
  metrics: OpenBreaker[];
  /** In `sineta status --json`. */
  command: OpenBreaker[];
};

export async function operatorsView({ server }: Scene): Promise<OperatorsView> {
  const text = await metricsText({ server });
  const { stdout } = await server.run("status", "--json");
  const status: Status = JSON.parse(stdout);
  return {
    metrics: Array.from(
      text.matchAll(/^sineta_breaker_open\{.*push_origin="(.*?)",reason="(.*?)"\} 1$/gm),
      ([, pushOrigin = "", reason = ""]) => ({ pushOrigin, reason }),
    ),
    command: status.breakers.map(({ pushOrigin, reason }) => ({ pushOrigin, reason })),
  };
}

/** What the server's process holds in memory now. */
export async function residentBytes(scene: Pick<Scene, "server">): Promise<number> {
  const line = /^process_resident_memory_bytes (\S+)$/m.exec(await metricsText(scene));
  if (line?.[1] === undefined) throw new Error("/metrics tells nothing of memory");
  return Number(line[1]);
}

async function metricsText({ server }: Pick<Scene, "server">): Promise<string> {
  return (await fetch(new URL("/metrics", server.url))).text();
}
