// npm leaves holes in the lockfile without a word where a platform package was not to be had; `npm ci` then fails
// on that platform. Every name under any `optionalDependencies` must have an entry of its own.
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(
  readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"),
);
const present = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
const holes = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies)
    .filter((name) => !present.has(name))
    .map((name) => `${path || "the root"} wants ${name}`),
);

if (holes.length > 0) {
  console.error(`package-lock.json has no entry for:\n  ${holes.join("\n  ")}`);
  process.exit(1);
}
console.log(`package-lock.json: ${present.size} names, no holes`);
