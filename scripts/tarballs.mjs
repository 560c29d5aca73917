// The published packages: packs them, and installs the tarballs elsewhere as npm would, without a registry.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders of the published packages below `packages`: one that depends on another stands after it. */
const published = ["client", "react", "server", "push-lab"];

/**
 * A packed package.
 *
 * @typedef {object} Tarball
 * @property {string} name
 * @property {string} version
 * @property {string} folder of its source
 * @property {string} file
 * @property {number} packedBytes
 * @property {number} unpackedBytes
 * @property {number} files how many it holds
 * @property {string} integrity as a lockfile writes it
 */

/**
 * Packs packages as they are built, all four unless told. What is packed differs from the checkout: see `publishedManifest`.
 *
 * @param {string} into an existing folder
 * @param {{ names?: string[]; checkout?: string }} [options] `names`: folders below `packages`
 * @returns {Tarball[]} in an order in which they can be published
 */
export function packPackages(into, { names = published, checkout = root } = {}) {
  const stage = mkdtempSync(join(tmpdir(), "sineta-pack-"));
  try {
    const staged = names.map((name) => join(stage, name));
    for (const folder of staged) stagePackage(basename(folder), folder, checkout);
    const options = [`--pack-destination=${into}`, "--offline", "--loglevel=error", "--json"];
    const packed = JSON.parse(npm(["pack", ...staged, ...options], stage));
    return packed.map(({ name, version, filename, size, unpackedSize, entryCount, integrity }) => ({
      name,
      version,
      folder: join(checkout, "packages", name.slice("@sineta/".length)),
      file: join(into, filename),
      packedBytes: size,
      unpackedBytes: unpackedSize,
      files: entryCount,
      integrity,
    }));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function stagePackage(name, stage, checkout) {
  const source = join(checkout, "packages", name);
  const manifest = manifestOf(source);
  for (const file of [...manifest.files, "README.md"]) {
    cpSync(join(source, file), join(stage, file), { recursive: true });
  }
  cpSync(join(checkout, "LICENSE"), join(stage, "LICENSE"));
  const json = JSON.stringify(publishedManifest(manifest), null, 2);
  writeFileSync(join(stage, "package.json"), `${json}\n`);
}

/**
 * The manifest without what only a checkout needs. A field in `publishConfig` replaces the one of the same name, as
 * pnpm does it: so the checkout's exports can lead to sources, which run without a build.
 */
function publishedManifest(checkout) {
  const { access, ...fields } = checkout.publishConfig;
  const manifest = { ...checkout, ...fields, publishConfig: { access } };
  const exports = withoutSource(manifest.exports);
  const dependencies =
    manifest.dependencies && withVersion(manifest.version, manifest.dependencies);
  // What is undefined is not written.
  return { ...manifest, exports, dependencies, scripts: undefined, devDependencies: undefined };
}

/** In the checkout our packages depend on each other by `*`, so that each version stands in one place (CONTRIBUTING.md). */
function withVersion(version, dependencies) {
  const entries = Object.entries(dependencies);
  return Object.fromEntries(
    entries.map(([name, range]) => [name, name.startsWith("@sineta/") ? version : range]),
  );
}

/** Without the condition `source`, by which a checkout's tools find the sources: a user's tools may know it, too. */
function withoutSource(target) {
  if (typeof target === "string") return target;
  const conditions = Object.entries(target).filter(([condition]) => condition !== "source");
  return Object.fromEntries(conditions.map(([key, inner]) => [key, withoutSource(inner)]));
}

/**
 * Installs the tarballs into `folder`/node_modules, with their commands, as npm would have: what they depend on (optional
 * peers only where `folder` itself depends on them), and nothing else, is linked to what this checkout has installed. So is what `folder`'s own package.json depends on.
 *
 * @param {Tarball[]} tarballs
 * @param {string} folder outside the checkout, with a package.json
 */
export function installTarballs(tarballs, folder) {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const { name, file } of tarballs) {
    const place = join(modules, name);
    mkdirSync(place, { recursive: true });
    run("tar", ["-xzf", file, "-C", place, "--strip-components=1"], folder);
    linkCommands(modules, name);
  }
  const own = new Set(tarballs.map(({ name }) => name));
  const wanting = tarballs.map(({ name, folder: source }) => [join(modules, name), source]);
  for (const [place, source] of [[folder, root], ...wanting]) {
    const manifest = manifestOf(place);
    // The development dependencies of a package that was installed are none of its user's.
    const wanted = {
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...(place === folder && manifest.devDependencies),
    };
    for (const name of Object.keys(wanted)) {
      const isOptional = manifest.peerDependenciesMeta?.[name]?.optional === true;
      if (isOptional || own.has(name) || existsSync(join(modules, name))) continue;
      link(installedAt(name, source), join(modules, name));
      linkCommands(modules, name);
    }
  }
}

/** Where this checkout has it: in the package's own node_modules, or in the one that all share. */
export function installedAt(name, source) {
  const places = [source, root].map((folder) => join(folder, "node_modules", name));
  const place = places.find((path) => existsSync(path));
  if (place === undefined) throw new Error(`${name} is not installed: run npm ci`);
  return place;
}

function linkCommands(modules, name) {
  const { bin = {} } = manifestOf(join(modules, name));
  const commands = typeof bin === "string" ? { [name.split("/").at(-1)]: bin } : bin;
  for (const [command, path] of Object.entries(commands)) {
    // Relative, as npm's are: the folder can be seen at another path, too.
    link(join("..", name, path), join(modules, ".bin", command));
  }
}

function link(target, path) {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** @param {string} folder of a package */
export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** What runs npm, the one that runs this if there is one: a command and its first arguments. */
export function npmCommand() {
  const { npm_node_execpath: node, npm_execpath: script } = process.env;
  return node && script ? [node, script] : ["npm"];
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const [command, ...first] = npmCommand();
  return run(command, [...first, ...args], cwd);
}

/**
 * Runs a command to its end and gives what it wrote on stdout. Throws all it wrote if it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {string}
 */
export function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error || status !== 0) {
    throw new Error(`${command} ${args.join(" ")}\n${error?.message ?? `${stdout}${stderr}`}`);
  }
  return stdout;
}
