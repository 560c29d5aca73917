// Releases the checked-out commit: makes dist/, publishes the packages, tags the commit. See CONTRIBUTING.md.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { makePackages } from "./packages.mjs";
import { publishTarballs } from "./publish.mjs";
import { billOf } from "./sbom.mjs";
import { manifestOf, run } from "./tarballs.mjs";
import { complaintsAboutVersions, distTagOf } from "./versions.mjs";

const usage = "usage: npm run release [-- --dry-run]";

/**
 * @param {string[]} args
 * @param {object} [inside] what tests replace
 * @param {string} [inside.checkout]
 * @param {() => Promise<import("./tarballs.mjs").Tarball[]>} [inside.makeTarballs] in `dist` of the checkout, which it empties first
 * @param {typeof billOf} [inside.makeBill]
 * @param {"inherit" | "ignore"} [inside.npmStdio] of npm as it publishes
 * @returns {Promise<number>} the exit status
 */
export async function release(
  args,
  {
    checkout = dirname(import.meta.dirname),
    makeTarballs = makePackages,
    makeBill = billOf,
    npmStdio = "inherit",
  } = {},
) {
  const dryRun = readDryRun(args);
  if (dryRun === undefined) {
    console.error(usage);
    return 2;
  }
  try {
    const refusals = refusalsOf(checkout, dryRun);
    if (refusals.length > 0) throw new Error(refusals.join("\n"));
    const { version } = manifestOf(checkout);
    const distTag = distTagOf(version);
    const tarballs = await makeTarballs();
    writeBillsAndSums(tarballs, git(checkout, "log", "-1", "--format=%cI"), makeBill);
    for (const line of describe(tarballs, distTag)) console.log(`release: ${line}`);
    if (dryRun) {
      console.log(`release: git tag: ${tagOf(version)}, at ${git(checkout, "rev-parse", "HEAD")}`);
      console.log("release: This was a dry run: nothing was published, and no tag was made.");
      return 0;
    }
    await publishTarballs(tarballs, { distTag, cwd: checkout, npmStdio });
    tagCommit(checkout, version);
    console.log(`release: All are published. Push the tag: git push origin ${tagOf(version)}`);
    return 0;
  } catch (error) {
    for (const line of error.message.split("\n")) console.error(`release: ${line}`);
    return 1;
  }
}

/** Returns undefined if an argument is unknown. */
function readDryRun(args) {
  // `npm run release --dry-run`, without `--` before the flag, gives it to npm. npm would not pack then.
  const ofNpm = process.env.npm_config_dry_run === "true";
  delete process.env.npm_config_dry_run;
  try {
    const { values } = parseArgs({ args, options: { "dry-run": { type: "boolean" } } });
    return values["dry-run"] === true || ofNpm;
  } catch {
    return undefined;
  }
}

/** Sentences about what keeps the commit from being released. */
function refusalsOf(checkout, dryRun) {
  const refusals = complaintsAboutVersions(checkout);
  if (git(checkout, "status", "--porcelain") !== "") {
    const what = "The work tree has changes that are not committed";
    if (dryRun) console.error(`release: warning: ${what}: they are packed, too.`);
    else refusals.push(`${what}: a release is made of a commit.`);
  }
  const tag = tagOf(manifestOf(checkout).version);
  const tagged = git(checkout, "tag", "--list", tag, "--format=%(*objectname)%(objectname)");
  if (tagged !== "" && !tagged.startsWith(git(checkout, "rev-parse", "HEAD"))) {
    refusals.push(`The tag ${tag} is at another commit: raise the version.`);
  }
  return refusals;
}

function tagOf(version) {
  return `v${version}`;
}

/** Does nothing if the tag exists: `refusalsOf` has seen that it is at this commit. */
function tagCommit(checkout, version) {
  const tag = tagOf(version);
  if (git(checkout, "tag", "--list", tag) !== "") return;
  git(checkout, "tag", "--annotate", tag, "--message", `Sineta ${version}`);
}

function git(checkout, ...args) {
  return run("git", args, checkout).trim();
}

/** Writes the checksums last, whole or not at all: a folder without them is not whole. */
function writeBillsAndSums(tarballs, committedAt, makeBill) {
  const timestamp = new Date(committedAt).toISOString();
  const bills = tarballs.map((tarball) => {
    const file = tarball.file.replace(/\.tgz$/, ".cdx.json");
    writeFileSync(file, makeBill(tarball, tarballs, timestamp));
    return file;
  });
  const files = [...tarballs.map(({ file }) => file), ...bills];
  const sums = join(dirname(files[0]), "SHA256SUMS");
  writeFileSync(`${sums}.part`, files.map(lineOf).join(""));
  renameSync(`${sums}.part`, sums);
}

/** As `sha256sum --check` reads it. */
function lineOf(file) {
  const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
  return `${sum}  ${basename(file)}\n`;
}

const kilobytes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

function size(bytes) {
  return `${kilobytes.format(bytes / 1000)} kB`;
}

function describe(tarballs, distTag) {
  return tarballs.map(
    ({ name, version, packedBytes, unpackedBytes, files }, index) =>
      `${index + 1}. ${name} ${version}, dist-tag ${distTag}: ${size(packedBytes)} packed, ` +
      `${size(unpackedBytes)} unpacked, ${files} files`,
  );
}

if (import.meta.main) process.exitCode = await release(process.argv.slice(2));
