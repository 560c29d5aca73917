/** A back-up's file: it appears under its name once it is whole and on the disk, and never in the place of another file. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../command-error.ts";
import { syncFolder } from "../secrets/secret-file.ts";
import { isStorageFull } from "../store/storage-full.ts";

export type BackupPlace = {
  /** Absolute path. */
  file: string;
  /** Where the file is written until it is whole, in the same folder. A killed back-up leaves it, the next one replaces it. */
  part: string;
};

/**
 * Makes the file, for this user alone.
 * @param fill writes it at the path `part`, where an empty file is
 * @returns what `fill` gave, and how long the file is
 * @throws CommandError `backup-exists`, `backup-unwritable`, `data-full`. No file is left then
 */
export async function makeBackupFile<Result>(
  place: BackupPlace,
  fill: () => Promise<Result>,
): Promise<{ result: Result; bytes: number }> {
  try {
    if (lstatSync(place.file, { throwIfNoEntry: false }) !== undefined) throw exists(place);
    removePart(place);
    const opened = openSync(place.part, "wx", 0o600);
    try {
      const result = await fill();
      fsyncSync(opened);
      publish(place, opened);
      return { result, bytes: fstatSync(opened).size };
    } catch (error) {
      if (isSame(place.part, opened)) removePart(place);
      throw error;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw backupError(place, error) ?? error;
  }
}

/** By link(2), which does not replace a file that appeared meanwhile, as rename(2) would. */
function publish(place: BackupPlace, opened: number): void {
  if (!isSame(place.part, opened)) {
    throw new CommandError(
      "backup-unwritable",
      `Another program has replaced ${place.part}: let one sineta backup at a time write there.`,
    );
  }
  linkSync(place.part, place.file);
  rmSync(place.part);
  syncFolder(dirname(place.file));
}

function isSame(path: string, opened: number): boolean {
  const [found, own] = [statSync(path, { throwIfNoEntry: false }), fstatSync(opened)];
  return found !== undefined && found.ino === own.ino && found.dev === own.dev;
}

/** With its journal: SQLite would put that into the next file of this name. */
function removePart({ part }: BackupPlace): void {
  for (const end of ["", "-journal"]) rmSync(part + end, { force: true });
}

function exists({ file }: BackupPlace, cause?: unknown): CommandError {
  return new CommandError(
    "backup-exists",
    `${file} is there already: name another file, or move it away.`,
    { cause },
  );
}

/** The error that ends the command; null for a fault of another file. */
function backupError(place: BackupPlace, cause: unknown): CommandError | null {
  if (cause instanceof CommandError) return cause;
  const folder = dirname(place.file);
  if (isStorageFull(cause)) {
    return new CommandError(
      "data-full",
      `The disk of the back-up is full, so no back-up was made: free space on the disk that has ${folder}, or name a file on another disk.`,
      { cause },
    );
  }
  if (!(cause instanceof Error && "code" in cause && "path" in cause)) return null;
  if (dirname(String(cause.path)) !== folder && cause.path !== folder) return null;
  const code = String(cause.code);
  if (code === "EEXIST" && "dest" in cause) return exists(place, cause);
  return new CommandError(
    "backup-unwritable",
    `The back-up ${place.file} cannot be made: ${whyUnwritable[code]?.(folder) ?? `its disk fails (${code})`}.`,
    { cause },
  );
}

/** By the codes of open(2) and link(2). */
const whyUnwritable: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `the folder ${folder} is not there, so make it first`,
  ENOTDIR: (folder) => `${folder} is not a folder`,
  EACCES: (folder) => `this user may not write into ${folder}, so run the command as one that may`,
  EROFS: (folder) => `the disk of ${folder} is mounted read-only`,
  ENAMETOOLONG: () => "its name is too long",
  EPERM: (folder) => `the file system of ${folder} has no hard links, so name another folder`,
};
