// Writes a software bill of materials (CycloneDX) for each tarball in dist/: what is installed with it, and nothing that
// only its making takes. npm's own lists are made from what npm would install, in a folder of their own: for workspaces
// it leaves out what another workspace needs for its tests (npm 11).
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, run } from "./tarballs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");

/** The tarball, and those of ours that it depends on: no registry has them yet. */
function withOurs(tarball) {
  const [, name, version] = /^sineta-(.+)-(\d+\..+)\.tgz$/.exec(tarball);
  const { dependencies = {} } = manifestOf(join(root, "packages", name));
  const ours = Object.keys(dependencies).filter((other) => other.startsWith("@sineta/"));
  const files = ours.map((other) => `sineta-${other.slice("@sineta/".length)}-${version}.tgz`);
  return [tarball, ...files].map((file) => join(dist, file));
}

function billOf(tarballs) {
  const folder = mkdtempSync(join(tmpdir(), "sineta-sbom-"));
  try {
    const manifest = { name: "installed", version: "0.0.0", private: true };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
    run("npm", ["install", "--package-lock-only", ...quiet, ...tarballs], folder);
    const list = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
    const bill = JSON.parse(run("npm", list, folder));
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    return { bill, lock };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sentences about what is missing; none, if every package that is installed is in the bill with version and licence. */
function complaintsAbout({ bill, lock }) {
  const listed = new Map(bill.components.map((each) => [`${each.name}@${each.version}`, each]));
  return Object.entries(lock.packages).flatMap(([path, { version, optional, peer }]) => {
    if (path === "" || optional === true || peer === true) return [];
    const name = `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
    const found = listed.get(name);
    if (found === undefined) return [`${name} is not listed`];
    return (found.licenses ?? []).length === 0 ? [`${name} has no licence`] : [];
  });
}

const tarballs = readdirSync(dist).filter((file) => file.endsWith(".tgz"));
if (tarballs.length === 0)
  throw new Error("There is no tarball in dist: npm run packages makes them.");
let complaints = 0;
for (const tarball of tarballs) {
  const result = billOf(withOurs(tarball));
  const own = basename(tarball, ".tgz");
  for (const component of result.bill.components) delete component.externalReferences;
  result.bill.metadata.component.name = own;
  writeFileSync(join(dist, `${own}.cdx.json`), `${JSON.stringify(result.bill, null, 2)}\n`);
  console.log(`sbom: dist/${own}.cdx.json, ${result.bill.components.length} packages`);
  for (const complaint of complaintsAbout(result)) {
    complaints += 1;
    console.error(`sbom: ${own}: ${complaint}`);
  }
}
process.exitCode = complaints === 0 ? 0 : 1;
