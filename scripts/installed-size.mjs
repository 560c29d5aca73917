// How much disk `npm install` of the packed server takes: its own files, and the packages that npm installs with it.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, npm, run } from "./tarballs.mjs";

const limitMegabytes = 50;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const server = join(root, "packages", "server");

/** The folders of the packages that the server depends on, also through others. */
function dependencies() {
  const args = ["ls", "--workspace", "packages/server", "--omit=dev", "--all", "--parseable"];
  const own = new Set([root, join(root, "node_modules", "@sineta", "server")]);
  return npm(args, root)
    .split("\n")
    .filter((folder) => folder !== "" && !own.has(folder));
}

/** Disk use in units of 1,000,000 bytes. `du` counts a folder inside another one once. */
function megabytesOf(paths) {
  const total = run("du", ["-c", "--block-size=1", ...paths], root).match(/^(\d+)\ttotal$/m);
  return Number(total[1]) / 1e6;
}

const folders = dependencies();
const direct = Object.keys(manifestOf(server).dependencies).length;
if (folders.length < direct) throw new Error(`npm lists ${folders.length} dependencies only`);
const files = manifestOf(server).files.map((path) => join(server, path));
const megabytes = megabytesOf([...files, ...folders]);
console.log(`${megabytes.toFixed(1)} MB, of ${folders.length + 1} packages`);
if (megabytes > limitMegabytes) {
  console.error(`The installed server takes more than ${limitMegabytes} MB.`);
  process.exit(1);
}
