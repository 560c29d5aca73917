// Publishes tarballs on npm's registry. Skips those that it already has.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { npmCommand } from "./tarballs.mjs";

/**
 * Leaves out what the registry has already, so that it can be run again after a failure.
 *
 * @param {import("./tarballs.mjs").Tarball[]} tarballs one that depends on another stands after it
 * @param {object} how
 * @param {string} how.distTag
 * @param {string} how.cwd
 * @param {"inherit" | "ignore"} how.npmStdio npm asks for a one-time password there
 * @throws {Error} at the first failure, with what is published and what is not
 */
export async function publishTarballs(tarballs, { distTag, cwd, npmStdio }) {
  const known = await Promise.all(tarballs.map((tarball) => isPublished(tarball, cwd)));
  // npm refuses to move `latest` back to an older version only where no tag is named.
  const tag = distTag === "latest" ? [] : ["--tag", distTag];
  for (const [index, { name, version, file }] of tarballs.entries()) {
    if (known[index]) {
      console.log(`release: ${name} ${version} was published before.`);
      continue;
    }
    const args = ["publish", file, "--access", "public", ...tag];
    const { status } = await runNpm(args, cwd, npmStdio);
    if (status !== 0) {
      const unpublished = tarballs.filter((_, at) => at >= index && !known[at]);
      const published = tarballs.filter((each) => !unpublished.includes(each));
      throw new Error(
        `npm could not publish ${name} ${version}. Published: ${namesOf(published)}. Not published: ` +
          `${namesOf(unpublished)}. Run it again: it leaves out what is published.`,
      );
    }
    console.log(`release: ${name} ${version} is published.`);
  }
}

/** Whether the registry has this very file. Throws if it has another one of the same version. */
async function isPublished({ name, version, integrity }, cwd) {
  const args = ["view", `${name}@${version}`, "dist.integrity", "--json"];
  const { status, stdout } = await runNpm(args, cwd, ["ignore", "pipe", "ignore"]);
  const answer = stdout.trim() === "" ? undefined : JSON.parse(stdout);
  if (status !== 0) {
    if (answer?.error?.code === "E404") return false;
    const why = answer?.error?.summary ?? "npm view failed";
    throw new Error(`Nothing was published: npm could not ask for ${name} ${version}: ${why}.`);
  }
  if (answer === undefined) return false;
  if (answer === integrity) return true;
  throw new Error(
    `Nothing was published: the registry has another ${name} ${version}, with other bytes. Raise the version.`,
  );
}

async function runNpm(args, cwd, stdio) {
  const [command, ...first] = npmCommand();
  const child = spawn(command, [...first, ...args], { cwd, stdio });
  let stdout = "";
  child.stdout?.on("data", (part) => (stdout += part));
  const [status] = await once(child, "close");
  return { status, stdout };
}

function namesOf(tarballs) {
  return tarballs.map(({ name }) => name).join(", ") || "nothing";
}
