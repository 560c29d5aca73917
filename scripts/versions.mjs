// The version stands in the package.json of the root and of each workspace. They all have the same one.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import semver from "semver";
import { manifestOf } from "./tarballs.mjs";

/**
 * @param {string} checkout
 * @returns {string[]} a sentence for each thing that keeps this version from being released
 */
export function complaintsAboutVersions(checkout) {
  const { version, workspaces } = manifestOf(checkout);
  // Also refuses v1.0.0 and 1.0.0+5: npm would publish both as 1.0.0.
  if (semver.valid(version) !== version) {
    return [`package.json has the version ${version}, which is no semantic version such as 1.0.0.`];
  }
  const complaints = [];
  for (const { path, manifest } of manifestsIn(checkout, workspaces)) {
    if (manifest.version !== version) {
      complaints.push(`${path} has the version ${manifest.version}, and package.json ${version}.`);
    }
    for (const [name, range] of oursIn(manifest)) {
      if (range === "*") continue;
      complaints.push(`${path} depends on ${name} ${range}: write "*".`);
    }
  }
  // Examples install `latest`, which is never a prerelease.
  const examples = semver.prerelease(version) === null ? ["examples/*"] : [];
  for (const { path, manifest } of manifestsIn(checkout, examples)) {
    for (const [name, range] of oursIn(manifest)) {
      if (semver.satisfies(version, range)) continue;
      complaints.push(`${path} depends on ${name} ${range}, which is not ${version}.`);
    }
  }
  return complaints;
}

/** npm's dist-tag. `npm install` installs `latest` unless its user names another one. */
export function distTagOf(version) {
  return semver.prerelease(version) === null ? "latest" : "next";
}

function manifestsIn(checkout, patterns) {
  const paths = patterns.flatMap((pattern) =>
    globSync(`${pattern}/package.json`, { cwd: checkout }).toSorted(),
  );
  return paths.map((path) => ({ path, manifest: manifestOf(join(checkout, dirname(path))) }));
}

function oursIn({ dependencies, devDependencies, peerDependencies }) {
  const all = [dependencies, devDependencies, peerDependencies];
  return all.flatMap((each = {}) =>
    Object.entries(each).filter(([name]) => name.startsWith("@sineta/")),
  );
}
