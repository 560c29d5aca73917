// Builds what a browser loads: the packages of the page and the worker, and the site.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builds = [
  { folder: "packages/client", tool: "tsdown" },
  { folder: "packages/react", tool: "tsdown" },
  { folder: "apps/site", tool: "vite", args: ["build"] },
];

for (const { folder, tool, args = [] } of builds) {
  const { status, stdout, stderr } = spawnSync(tool, args, {
    cwd: join(root, folder),
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(`build: ${folder} failed\n${stdout}${stderr}`);
    process.exit(1);
  }
  console.log(`build: ${folder}`);
}
