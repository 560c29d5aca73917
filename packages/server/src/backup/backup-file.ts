/** A back-up's file: it appears under its name once it is whole and on the disk, and never in the place of another file. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";
import { syncFolder } from "../secrets/secret-file.ts";
import { isStorageFull } from "../store/storage-full.ts";
import { writeChecksum } from "./checksum.ts";

export type BackupPlace = {
  file: string;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
};

/** The file until it is whole, and the journal of SQLite. A killed back-up leaves it. */
const partName = /^\.sineta-backup-[0-9a-f]{12}\.part(-journal)?$/;
const leftAfterMs = 86_400_000;

/**
 * Makes the file, for this user alone, and puts its checksum into it. Each call writes a part of its own, so that two can go on in one
 * folder. Removes parts that no call has written to for a day.
 * @param place.file absolute path
 * @param fill writes a database at the path `part`, where an empty file is
 * @returns what `fill` gave, and how long the file is
 * @throws CommandError `backup-exists`, `backup-unwritable`, `data-full`. No file is left then
 */
export async function makeBackupFile<Result>(
  place: BackupPlace,
  fill: (part: string) => Promise<Result>,
): Promise<{ result: Result; bytes: number }> {
  const { file, nowMs, randomBytes } = place;
  const folder = dirname(file);
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw exists(place);
    removeLeftParts(folder, nowMs);
    const part = join(folder, `.sineta-backup-${Buffer.from(randomBytes(6)).toString("hex")}.part`);
    const opened = openSync(part, "wx+", 0o600);
    try {
      const result = await fill(part);
      writeChecksum(opened);
      fsyncSync(opened);
      publish({ part, file, opened });
      return { result, bytes: fstatSync(opened).size };
    } catch (error) {
      if (isSame(part, opened))
        for (const end of ["", "-journal"]) rmSync(part + end, { force: true });
      throw error;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw backupError(place, error) ?? error;
  }
}

/** By link(2), which does not replace a file that appeared meanwhile, as rename(2) would. */
function publish({ part, file, opened }: { part: string; file: string; opened: number }): void {
  if (!isSame(part, opened)) {
    throw new CommandError(
      "backup-unwritable",
      `Another program has removed ${part} while the back-up was written there: call the command again.`,
    );
  }
  linkSync(part, file);
  rmSync(part);
  syncFolder(dirname(file));
}

function isSame(path: string, opened: number): boolean {
  const [found, own] = [statSync(path, { throwIfNoEntry: false }), fstatSync(opened)];
  return found !== undefined && found.ino === own.ino && found.dev === own.dev;
}

function removeLeftParts(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder).filter((each) => partName.test(each))) {
    const path = join(folder, name);
    try {
      const found = lstatSync(path);
      if (found.isFile() && found.mtimeMs < nowMs - leftAfterMs) rmSync(path);
    } catch {
      // Another user's, or another back-up has removed it: this back-up needs its room only.
    }
  }
}

/** The error where SQLite cannot write the copy. */
export function unwritableCopy(file: string, cause: Error): CommandError {
  return new CommandError(
    "backup-unwritable",
    `The back-up ${file} cannot be made: SQLite cannot write it (${cause.message}), so look at the disk, or name a file in another folder.`,
    { cause },
  );
}

function exists({ file }: Pick<BackupPlace, "file">, cause?: unknown): CommandError {
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
  ELOOP: (folder) => `${folder} is a link that leads to itself, so name another folder`,
  EMFILE: () => "too many files are open, so raise the limit (ulimit -n)",
  ENFILE: () => "too many files are open on this machine, so raise the limit (sysctl fs.file-max)",
  EPERM: (folder) => `the file system of ${folder} has no hard links, so name another folder`,
};
