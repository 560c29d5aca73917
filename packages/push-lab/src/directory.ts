import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { PushLabError } from "./errors.ts";

/**
 * The folder the lab writes into: the given one, made in its parent if it is not there, or a fresh one.
 *
 * @throws PushLabError `directory-unusable`
 */
export async function prepareDirectory(given: string | undefined): Promise<string> {
  if (given === undefined) return await mkdtemp(join(tmpdir(), "push-lab-"));
  const directory = resolve(given);
  try {
    // Not recursive: Node's recursive mkdir never comes back where the system answers ENOENT for a parent that exists (/proc).
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    if (!isThere(cause)) throw directoryError(directory, cause);
  }
  return directory;
}

/**
 * Writes a file that only its owner may read, instead of whatever stood there.
 *
 * @throws PushLabError `directory-unusable`
 */
export async function writeOwn(path: string, text: string): Promise<void> {
  try {
    await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600 });
  } catch (cause) {
    throw directoryError(path, cause);
  }
}

function directoryError(path: string, cause: unknown): PushLabError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PushLabError(
    "directory-unusable",
    `The lab cannot write ${path} (${why}): give it a directory it may write to.`,
    { cause },
  );
}

function isThere(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EEXIST";
}
