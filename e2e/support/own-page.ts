import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";

export type OwnPage = { url: string; stop: () => Promise<void> };

/**
 * Builds the page of `e2e/own-page` as its owner would (Vite with its defaults, the packages as they are built,
 * the worker's file copied beside it) and serves it at an origin of its own.
 */
export async function serveOwnPage(port: number): Promise<OwnPage> {
  const root = fileURLToPath(new URL("../own-page/", import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), "sineta-own-page-"));
  const common = { root, configFile: false, logLevel: "error" } as const;
  await build({ ...common, build: { outDir, emptyOutDir: true } });
  const worker = fileURLToPath(import.meta.resolve("@sineta/client/sw.js"));
  await copyFile(worker, join(outDir, "sineta-sw.js"));
  const server = await preview({
    ...common,
    build: { outDir },
    preview: { host: "localhost", port, strictPort: true },
  });
  return {
    url: `http://localhost:${port}/`,
    async stop() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
