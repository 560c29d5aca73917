// Builds what is published, and the site. In this order: the server's package takes site and worker along.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builds = [
  { folder: "packages/client", tool: "tsdown" },
  { folder: "packages/react", tool: "tsdown" },
  { folder: "apps/site", tool: "vite", args: ["build"] },
  { folder: "apps/console", tool: "vite", args: ["build"] },
  { folder: "packages/server", tool: "tsdown" },
  { folder: "packages/push-lab", tool: "tsdown" },
];

for (const { folder, tool, args = [] } of builds) {
  // What an earlier build left would be published, too.
  rmSync(join(root, folder, "dist"), { recursive: true, force: true });
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
