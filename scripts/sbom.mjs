// Makes a software bill of materials (CycloneDX) for a tarball: what is installed with it, and nothing that only its making
// takes. npm resolves it in a folder of its own, from this checkout's package-lock.json and without a registry: the bill
// names the versions that Sineta is tested with. In the workspace itself npm leaves out what another workspace needs for
// its tests (npm 11).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, npm } from "./tarballs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The same bytes for the same tarballs, lockfile, time and npm: so it has no serial number.
 *
 * @param {import("./tarballs.mjs").Tarball} tarball
 * @param {import("./tarballs.mjs").Tarball[]} all among which are those of ours that it depends on: no registry has them yet
 * @param {string} timestamp of what was packed, as `Date` writes it
 * @returns {string} JSON
 * @throws {Error} if an installed package or its licence is missing in it
 */
export function billOf(tarball, all, timestamp) {
  const { dependencies = {} } = manifestOf(tarball.folder);
  const installed = all.filter(({ name }) => name === tarball.name || name in dependencies);
  const { bill, lock } = listInstalled(installed.map(({ file }) => file));
  const complaints = complaintsAbout(bill, lock);
  if (complaints.length > 0)
    throw new Error(`The bill of ${tarball.name}: ${complaints.join(", ")}.`);
  // They name files of this machine.
  for (const component of bill.components) delete component.externalReferences;
  delete bill.serialNumber;
  bill.metadata.timestamp = timestamp;
  bill.metadata.component.name = basename(tarball.file, ".tgz");
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function listInstalled(files) {
  const folder = mkdtempSync(join(tmpdir(), "sineta-sbom-"));
  try {
    const manifest = { name: "installed", version: "0.0.0", private: true };
    const packages = { "": manifest, ...lockedPackages() };
    const seed = { ...manifest, lockfileVersion: 3, requires: true, packages };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(seed));
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    // With an empty cache npm fails where the lockfile does not answer.
    const offline = ["--offline", `--cache=${join(folder, "cache")}`];
    npm(["install", "--package-lock-only", ...offline, ...quiet, ...files], folder);
    const list = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
    const bill = JSON.parse(npm(list, folder));
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    return { bill, lock };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What this checkout's lockfile says of packages that are not ours. npm drops those that nothing installed needs. */
function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { link }]) => path.startsWith("node_modules/") && link !== true,
    ),
  );
}

/** Sentences about what is missing; none, if every package that is installed is in the bill with version and licence. */
function complaintsAbout(bill, lock) {
  const listed = new Map(bill.components.map((each) => [`${each.name}@${each.version}`, each]));
  return Object.entries(lock.packages).flatMap(([path, { version, optional, peer }]) => {
    if (path === "" || optional === true || peer === true) return [];
    const name = `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
    const found = listed.get(name);
    if (found === undefined) return [`${name} is not listed`];
    return (found.licenses ?? []).length === 0 ? [`${name} has no licence`] : [];
  });
}
