/** Names back-ups by their time, and removes the oldest. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";

const ownName = /^sineta-\d{8}T\d{6}Z\.db$/;

/** The path of a back-up of this moment. */
export function fileIn(folder: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return join(folder, `sineta-${time}.db`);
}

export type Retained = {
  removed: string[];
  /** Their names lie in the future, so the clock was wrong then or is wrong now. They stay and do not count. */
  future: string[];
  /** `backup-unremovable`; null if all that had to go has gone. */
  refused: CommandError | null;
};

/**
 * Removes the oldest back-ups, by their names, and no other file.
 * @param newest the path of the one just made, which stays
 * @param keep how many stay, with the newest
 * @param remove a test stands in for a disk that refuses, since root is refused nothing
 * @throws CommandError `backup-unremovable` if the folder cannot be read
 */
export function removeOldest(
  newest: string,
  keep: number,
  remove: (path: string) => void = rmSync,
): Retained {
  const folder = dirname(newest);
  const names = backupsIn(folder, newest);
  const future = names.filter((name) => name > basename(newest));
  const older = names.filter((name) => name < basename(newest));
  const removed: string[] = [];
  let refused: CommandError | null = null;
  for (const name of older.slice(0, Math.max(0, older.length + 1 - keep))) {
    const path = join(folder, name);
    try {
      remove(path);
      removed.push(path);
    } catch (cause) {
      refused ??= unremovable(newest, `${path} cannot be removed`, cause);
    }
  }
  return { removed, future: future.map((name) => join(folder, name)), refused };
}

/** The names, the oldest first. */
function backupsIn(folder: string, newest: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => ownName.test(name) && lstatSync(join(folder, name)).isFile())
      .toSorted();
  } catch (cause) {
    throw unremovable(newest, `the folder ${folder} cannot be read`, cause);
  }
}

function unremovable(newest: string, what: string, cause: unknown): CommandError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return new CommandError(
    "backup-unremovable",
    `The back-up ${newest} is whole, but ${what} (${code}): let this user read and change the folder, or remove old back-ups by hand.`,
    { cause },
  );
}
