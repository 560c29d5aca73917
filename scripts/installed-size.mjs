// How much disk `npm install` of the packed server takes: its own files, and the packages that npm installs with it.
import { globSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, npm } from "./tarballs.mjs";

const limitMegabytes = 50;
/** A file takes whole blocks. */
const blockBytes = 4096;

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

/** Disk use, in units of 1,000,000 bytes. */
function megabytesOf(folders) {
  // A folder may lie in another one.
  const paths = new Set(
    folders.flatMap((folder) => [
      folder,
      ...globSync("**/*", { cwd: folder }).map((path) => join(folder, path)),
    ]),
  );
  const blocks = [...paths].map((path) => Math.ceil(lstatSync(path).size / blockBytes));
  return (blocks.reduce((sum, each) => sum + each, 0) * blockBytes) / 1e6;
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
