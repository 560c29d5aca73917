// Runs those builds of the workspace whose inputs or output are not what their last whole run left.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Whatever may change a build without lying in a package. */
const sharedInputs = [
  "package-lock.json",
  "tsconfig.base.json",
  "scripts/build.mjs",
  "scripts/changed-builds.mjs",
];
/** What tools leave in a package's folder. */
const leftByTools = new Set([".cache", "dist", "node_modules"]);

/**
 * A build of one package. It writes into the package's `dist` and nowhere else.
 *
 * @typedef {{ folder: string; takes?: string[] }} Build
 *   `folder`: of the package, from the root; `takes`: folders of packages, built before it, whose output it copies
 */

/**
 * Builds in the given order what is not built as it stands. A package's inputs are its files, the packages of the
 * workspace that it depends on, what it takes, and what all share. Their digest is kept in the package's `.cache` with
 * the digest of the output; it is gone while a build runs, so one that broke off runs again.
 *
 * @template {Build} Each
 * @param {string} root of the workspace
 * @param {readonly Each[]} builds
 * @param {(build: Each) => void} run builds into an empty `dist`; throws if it fails
 */
export function runChangedBuilds(root, builds, run) {
  const sourcesOf = digestsOfSources(root);
  for (const build of builds) {
    const folder = join(root, build.folder);
    const dist = join(folder, "dist");
    const stampFile = join(folder, ".cache", "build");
    const inputs = digest([
      sourcesOf(build.folder),
      ...sharedInputs.map((path) => digestOfFile(join(root, path))),
      ...(build.takes ?? []).map((taken) => digestOfFolder(join(root, taken, "dist"))),
    ]);
    const stamp = () => `${inputs}\n${digestOfFolder(dist)}\n`;
    const isBuilt = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp();
    if (isBuilt) continue;
    rmSync(stampFile, { force: true });
    // What an earlier build left would be published, too.
    rmSync(dist, { recursive: true, force: true });
    run(build);
    mkdirSync(join(folder, ".cache"), { recursive: true });
    writeFileSync(stampFile, stamp());
  }
}

/** Gives the digest of a package's sources, with those of the packages of the workspace that it depends on. */
function digestsOfSources(root) {
  const folders = new Map();
  const packages = ["packages", "apps"].flatMap((group) =>
    existsSync(join(root, group))
      ? readdirSync(join(root, group)).map((name) => `${group}/${name}`)
      : [],
  );
  for (const folder of packages) {
    const manifest = join(root, folder, "package.json");
    if (existsSync(manifest)) folders.set(readManifest(manifest).name, folder);
  }
  const known = new Map();
  return function sourcesOf(folder) {
    if (!known.has(folder)) {
      const { dependencies, devDependencies, peerDependencies } = readManifest(
        join(root, folder, "package.json"),
      );
      const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
      const own = names.filter((name) => folders.has(name)).toSorted();
      known.set(
        folder,
        digest([
          digestOfFolder(join(root, folder), leftByTools),
          ...own.map((name) => sourcesOf(folders.get(name))),
        ]),
      );
    }
    return known.get(folder);
  };
}

function readManifest(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Of the names and contents of all files below a folder; of one that is not there, an empty text. */
function digestOfFolder(folder, besides = new Set()) {
  if (!existsSync(folder)) return "";
  const files = filesOf(folder, besides).toSorted();
  return digest(files.flatMap((path) => [relative(folder, path), digestOfFile(path)]));
}

function filesOf(folder, besides) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return besides.has(entry.name) ? [] : filesOf(path, besides);
    return entry.isFile() && !entry.name.endsWith(".tsbuildinfo") ? [path] : [];
  });
}

function digestOfFile(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function digest(parts) {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
