import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { startServerProcess } from "../broadcast/process.ts";

export type ServedPage = { url: string; stop: () => Promise<void> };

/**
 * The built server with a page of bench/page as its site, built as its owner would: Vite with its defaults, Sineta's packages as they
 * are published.
 * @param page a folder of bench/page; null for the site that the server brings
 */
export async function servePage(page: "bare" | "bell" | "firebase" | null): Promise<ServedPage> {
  const folder = mkdtempSync(join(tmpdir(), "sineta-bench-page-"));
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    SINETA_DATA: join(folder, "data"),
    SINETA_PORT: "0",
    SINETA_LOG_LEVEL: "warn",
  };
  if (page !== null) {
    const outDir = join(folder, "site");
    const root = fileURLToPath(new URL(`${page}/`, import.meta.url));
    const options = { outDir, emptyOutDir: true };
    await build({ root, configFile: false, logLevel: "error", build: options });
    environment["BENCH_SITE_FOLDER"] = outDir;
  }
  const server = await startServerProcess(environment);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
