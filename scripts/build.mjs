// Builds what is published, and the site, as far as it has changed. In this order: the server's package takes site and
// worker along.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChangedBuilds } from "./changed-builds.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builds = [
  { folder: "packages/client", tool: "tsdown" },
  { folder: "packages/react", tool: "tsdown" },
  { folder: "apps/site", tool: "vite", args: ["build"] },
  { folder: "apps/console", tool: "vite", args: ["build"] },
  {
    folder: "packages/server",
    tool: "tsdown",
    takes: ["packages/client", "apps/site", "apps/console"],
  },
  { folder: "packages/push-lab", tool: "tsdown" },
];

runChangedBuilds(root, builds, ({ folder, tool, args = [] }) => {
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
});
