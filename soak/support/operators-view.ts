import type { Status } from "../../packages/server/src/commands/status.ts";
import type { Scene } from "./scene.ts";

/** A breaker that is open, as somebody sees it. */
export type OpenBreaker = { pushOrigin: string; reason: string };

/** As `/metrics` tells it. */
export async function breakersInMetrics(scene: Pick<Scene, "server">): Promise<OpenBreaker[]> {
  const text = await metricsText(scene);
  return Array.from(
    text.matchAll(/^sineta_breaker_open\{.*push_origin="(.*?)",reason="(.*?)"\} 1$/gm),
    ([, pushOrigin = "", reason = ""]) => ({ pushOrigin, reason }),
  );
}

/** As `sineta status` tells it. */
export async function breakersOnCommandLine({ server }: Scene): Promise<OpenBreaker[]> {
  const { stdout } = await server.run("status", "--json");
  const status: Status = JSON.parse(stdout);
  return status.breakers.map(({ pushOrigin, reason }) => ({ pushOrigin, reason }));
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
