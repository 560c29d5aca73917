/** Names back-ups by their time, and removes the oldest. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";
import { openUnchanged } from "./read-backup.ts";

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
  /** They are of another server, by their VAPID keys. They stay and do not count. */
  others: string[];
  /** `backup-unremovable`; null if all that had to go has gone. */
  refused: CommandError | null;
};

/**
 * Removes the oldest back-ups of this server, by their names, and no other file.
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
  const past = names.filter((name) => name < basename(newest));
  const isOther = otherThan(newest);
  const others = past.filter((name) => isOther(join(folder, name)));
  const older = past.filter((name) => !others.includes(name));
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
  const pathsOf = (some: readonly string[]) => some.map((name) => join(folder, name));
  return { removed, future: pathsOf(future), others: pathsOf(others), refused };
}

/** Whether a file is the back-up of another server. What cannot be read counts as this server's, so that it goes in time. */
function otherThan(newest: string): (path: string) => boolean {
  const own = firstKeyIn(newest);
  return (path) => {
    const found = firstKeyIn(path);
    return found !== null && found !== own;
  };
}

/** A server never removes its first VAPID key. Null if there is none, or if the file cannot be read. */
function firstKeyIn(path: string): string | null {
  try {
    const database = openUnchanged(path);
    try {
      const row = database.prepare("select min(id), public_key from vapid_keys").get();
      return typeof row?.["public_key"] === "string" ? row["public_key"] : null;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
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
