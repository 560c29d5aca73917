import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { preview } from "vite";
import { installTarballs, npm, packPackages } from "../../scripts/tarballs.mjs";
import { type SinetaServer, startServer } from "./server.ts";

/** A folder outside the checkout in which the packed packages are installed. */
export type Installation = {
  folder: string;
  /** Runs a script of its package.json to its end. */
  runScript: (name: string) => void;
  /** Starts the installed `sineta serve` there, with these settings. */
  startServer: (settings: Record<string, string>) => Promise<SinetaServer>;
  /** Serves one of its folders at `http://localhost:port/`, as any server of files does. */
  serveFiles: (folder: string, port: number) => Promise<string>;
  /** Builds the application as its package.json says, and starts `next start` at `http://localhost:port/`. */
  startNext: (port: number) => Promise<string>;
  /** Stops what was started, and removes the folder. */
  remove: () => Promise<void>;
};

type Tarballs = ReturnType<typeof packPackages>;

/** Packs the packages as they are built into a new temporary folder. */
export async function pack(): Promise<{ tarballs: Tarballs; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "sineta-tarballs-"));
  return {
    tarballs: packPackages(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Installs the tarballs as somebody would who is starting.
 * @param example which of the examples to begin with; null begins with nothing
 */
export async function install(
  tarballs: Tarballs,
  example: "page" | "react" | "next" | "foreign-server" | null,
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "sineta-installed-"));
  const undo: (() => Promise<unknown>)[] = [];
  if (example === null) await writeFile(join(folder, "package.json"), "{}");
  else {
    const source = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
    await cp(source, folder, { recursive: true });
  }
  installTarballs(tarballs, folder);

  return {
    folder,
    runScript: (name) => void npm(["run", name], folder),
    async startServer(settings) {
      const command = join(folder, "node_modules", ".bin", "sineta");
      const server = await startServer(settings, command);
      undo.push(() => server.stop());
      return server;
    },
    async serveFiles(outDir, port) {
      const server = await preview({
        root: folder,
        configFile: false,
        logLevel: "error",
        build: { outDir },
        preview: { host: "localhost", port, strictPort: true },
      });
      undo.push(() => server.close());
      return `http://localhost:${port}/`;
    },
    async startNext(port) {
      // Here the packages are links into the checkout: Next.js reads nothing outside this root.
      const config = 'export default { turbopack: { root: "/" } };\n';
      await writeFile(join(folder, "next.config.mjs"), config);
      process.env["NEXT_TELEMETRY_DISABLED"] = "1";
      npm(["run", "build"], folder);
      const command = join(folder, "node_modules", ".bin", "next");
      const args = [command, "start", "--hostname", "localhost", "--port", String(port)];
      const child = spawn(process.execPath, args, {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = once(child, "exit");
      undo.push(async () => {
        child.kill();
        await ended;
      });
      let output = "";
      child.stderr.on("data", (part) => (output += part));
      await new Promise<void>((resolve, reject) => {
        createInterface(child.stdout).on("line", (line) => {
          output += `${line}\n`;
          if (line.includes("Ready")) resolve();
        });
        void ended.then(() => reject(new Error(`next start ended:\n${output}`)));
      });
      return `http://localhost:${port}/`;
    },
    async remove() {
      await Promise.all(undo.map((stop) => stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
