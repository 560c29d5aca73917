/** What to do when the data folder or its database cannot be used: one sentence for each cause. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  statSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { CommandError } from "./command-error.ts";
import { isOwn, permissionDenied } from "./permission-denied.ts";
import { isDamaged } from "./store/damaged.ts";
import { isStorageFull } from "./store/storage-full.ts";

export function databaseFile(dataFolder: string): string {
  return join(dataFolder, "sineta.db");
}

/**
 * The error that ends a command, for what the operating system or SQLite has thrown.
 * @returns `data-unwritable`, `data-damaged`, `data-in-use` or `data-full`; null for another fault
 */
export function dataError(dataFolder: string, cause: unknown): CommandError | null {
  if (cause instanceof CommandError) return cause;
  if (isStorageFull(cause)) {
    return new CommandError(
      "data-full",
      `The disk of the data folder is full, so the command cannot do its work: free space on the disk that has ${dataFolder}, then run the command again.`,
      { cause },
    );
  }
  if (!(cause instanceof Error)) return null;
  if ("errcode" in cause) return ofSqlite(dataFolder, Number(cause.errcode), cause);
  if (!("code" in cause && "path" in cause && isOn(String(cause.path), dataFolder))) return null;
  // Some of Node's own checks put these letters before the code.
  const code = String(cause.code).replace(/^ERR_FS_/, "");
  return ofSystem(dataFolder, String(cause.path), code, cause);
}

/** By the primary result code (SQLite documentation, "Result and Extended Result Codes", section 3). */
function ofSqlite(dataFolder: string, errcode: number, cause: Error): CommandError | null {
  const file = databaseFile(dataFolder);
  if (isDamaged(cause)) return damaged(file, cause);
  switch (errcode & 0xff) {
    // SQLITE_BUSY and SQLITE_LOCKED
    case 5:
    case 6:
      return new CommandError(
        "data-in-use",
        `Another program holds the database ${file}: wait for it or end it, then run the command again.`,
        { cause },
      );
    // SQLITE_NOMEM
    case 7:
      return ofSystem(dataFolder, file, "ENOMEM", cause);
    // SQLITE_PROTOCOL and SQLITE_NOLFS
    case 15:
    case 22:
      return ofSystem(dataFolder, file, "ENOLCK", cause);
    // SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR and SQLITE_CANTOPEN: SQLite does not say why.
    case 3:
    case 8:
    case 10:
    case 14: {
      const found = refusedFile(dataFolder);
      if (found !== null) return ofSystem(dataFolder, found.path, found.code, cause);
      // The header of a file that may be written says that it is of a later format.
      if ((errcode & 0xff) === 8) return damaged(file, cause);
      return ofSystem(dataFolder, file, codeOf(errcode, file), cause);
    }
    default:
      return null;
  }
}

function damaged(file: string, cause: Error): CommandError {
  return new CommandError(
    "data-damaged",
    `The database ${file} is damaged (${cause.message}): stop Sineta, move ${file}, ${file}-wal and ${file}-shm away, and put a back-up there with sineta restore FILE.`,
    { cause },
  );
}

/** The code that the operating system has for it, where SQLite has not passed it on. */
function codeOf(errcode: number, file: string): string {
  // SQLITE_IOERR_LOCK and SQLITE_IOERR_SHMMAP, which a network share gives.
  if (errcode === 3850 || errcode === 5386) return "ENOLCK";
  // As long as a path may be for SQLite on Unix.
  if (Buffer.byteLength(file) > 500) return "ENAMETOOLONG";
  return existsSync(file) ? "EIO" : "ENOENT";
}

/** The first file that this user may not read and write, and what the operating system says. */
function refusedFile(dataFolder: string): { path: string; code: string } | null {
  const { R_OK, W_OK, X_OK } = constants;
  const database = databaseFile(dataFolder);
  const lock = join(dataFolder, "serve.lock");
  const files = [database, `${database}-wal`, `${database}-shm`, lock, `${lock}-journal`];
  for (const path of [dataFolder, ...files]) {
    try {
      accessSync(path, path === dataFolder ? R_OK | W_OK | X_OK : R_OK | W_OK);
      if (path !== dataFolder && !statSync(path).isFile()) return { path, code: "EISDIR" };
      if (path === dataFolder) demandDescriptors();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code !== "ENOENT" || isLink(path)) return { path, code };
    }
  }
  return null;
}

/** SQLite opens a database, its log, its shared memory, and the folder. */
const filesOfDatabase = 4;

/**
 * Opens as many files as a database needs. Opening and closing the database itself would release this process's locks on it.
 * @throws EMFILE or ENFILE if too many are open
 */
function demandDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < filesOfDatabase) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const each of opened) closeSync(each);
  }
}

/** By the codes of open(2), mkdir(2), stat(2), read(2) and write(2). */
function ofSystem(dataFolder: string, path: string, code: string, cause: unknown): CommandError {
  // A database that links to itself links to nothing, and the folder is good.
  if (code === "ELOOP" && path === databaseFile(dataFolder)) {
    return ofSystem(dataFolder, path, "ENOENT", cause);
  }
  const isOfFolder = code === "ENAMETOOLONG" || code === "ELOOP";
  const refusal =
    code === "EACCES"
      ? permissionDenied(path, (denied) => remedyAt(dataFolder, denied))
      : { path: isOfFolder ? dataFolder : path, why: whyOf(path, code) };
  const name = refusal.path === dataFolder ? `The data folder ${dataFolder}` : refusal.path;
  return new CommandError("data-unwritable", `${name} ${refusal.why}.`, { cause });
}

function whyOf(path: string, code: string): string {
  switch (code) {
    case "EROFS":
      return "is on a disk that is mounted read-only: mount it for writing, or set SINETA_DATA to another folder";
    case "EPERM":
      return "may not be changed by any user: look at its attributes (lsattr), or set SINETA_DATA to another folder";
    case "EISDIR":
      return "is not a file: move it away";
    case "ENAMETOOLONG":
      return "has too long a name: set SINETA_DATA to a shorter one";
    case "ELOOP":
      return "is a link that leads to itself: set SINETA_DATA to a folder";
    case "ENOENT":
    case "EEXIST":
      return isLink(path)
        ? "is a link to nothing: make what it leads to, or remove the link"
        : "cannot be made: set SINETA_DATA to another folder";
    case "ENOLCK":
      return "is on a disk where files cannot be locked, such as a network share: set SINETA_DATA to a folder on a disk of this machine";
    case "EMFILE":
    case "ENFILE":
      return "cannot be opened because too many files are open: raise the limit (ulimit -n)";
    case "ENOMEM":
      return "cannot be opened because memory is used up: end other programs";
    default:
      return `cannot be read or written because its disk fails (${code}): look at the disk and at the system's log`;
  }
}

function remedyAt(dataFolder: string, path: string): string {
  const isAbove = path !== dataFolder && isIn(dataFolder, path);
  if (isAbove && mayLookInto(path)) {
    return `make ${dataFolder} and give it to the user that runs Sineta`;
  }
  return isOwn(dataFolder) ? "give it to the owner of the data folder" : "run Sineta as that user";
}

function mayLookInto(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Whether a path is the folder, in it, or above it. */
function isOn(path: string, dataFolder: string): boolean {
  return isIn(path, dataFolder) || isIn(dataFolder, path);
}

function isIn(inner: string, outer: string): boolean {
  return relative(outer, inner).split(sep)[0] !== "..";
}
