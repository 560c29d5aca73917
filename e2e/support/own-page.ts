import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import type { SinetaServer } from "./server.ts";
import { vapidKeyOf } from "./vapid-key.ts";

export type OwnPage = {
  url: string;
  /** Where its files are: what is changed there is served at once. */
  folder: string;
  /** Content-Security-Policy by path, such as `/` or `/sineta-sw.js`. A change holds from the next answer on. */
  policies: Map<string, string>;
  stop: () => Promise<void>;
};

/** Where the page is, with the server and key that its owner has written into it, and with `more`. */
export async function addressOf(page: OwnPage, server: SinetaServer, more = {}): Promise<string> {
  const parameters = { server: server.url, vapidKey: await vapidKeyOf(server), ...more };
  return `${page.url}?${new URLSearchParams(parameters)}`;
}

/** Serves the page of `e2e/own-page`, with Sineta's worker copied beside it, at an origin of its own. */
export function serveOwnPage(port: number): Promise<OwnPage> {
  return servePage("own-page", port, async ({ outDir }) => {
    const worker = fileURLToPath(import.meta.resolve("@sineta/client/sw.js"));
    await copyFile(worker, join(outDir, "sineta-sw.js"));
  });
}

/** Serves the page of `e2e/firebase`, with its worker, which is Firebase's, at an origin of its own. */
export function serveFirebasePage(port: number): Promise<OwnPage> {
  return servePage("firebase", port, async ({ root, outDir }) => {
    const worker = "firebase-messaging-sw";
    await build({
      ...common(root),
      build: {
        outDir,
        emptyOutDir: false,
        rolldownOptions: {
          input: join(root, `${worker}.ts`),
          // Firebase installs it as a classic script, by this name.
          output: { format: "iife", entryFileNames: `${worker}.js` },
        },
      },
    });
  });
}

const common = (root: string) => ({ root, configFile: false, logLevel: "error" }) as const;

/** Builds a page as its owner would: Vite with its defaults, the packages as they are built. */
async function servePage(
  folder: string,
  port: number,
  addWorker: (places: { root: string; outDir: string }) => Promise<void>,
): Promise<OwnPage> {
  const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), "sineta-own-page-"));
  await build({ ...common(root), build: { outDir, emptyOutDir: true } });
  await addWorker({ root, outDir });
  const policies = new Map<string, string>();
  const server = await preview({
    ...common(root),
    build: { outDir },
    // A sandboxed page loads its scripts only if its origin, `null`, may read them.
    preview: { host: "localhost", port, strictPort: true, cors: true },
    plugins: [
      {
        name: "policies",
        configurePreviewServer({ middlewares }) {
          middlewares.use((request, response, next) => {
            const policy = policies.get(request.url?.replace(/\?.*/, "") ?? "");
            if (policy !== undefined) response.setHeader("Content-Security-Policy", policy);
            next();
          });
        },
      },
    ],
  });
  return {
    url: `http://localhost:${port}/`,
    folder: outDir,
    policies,
    async stop() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
