/** Reads a back-up and never writes to it: its disk may be read-only. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { CommandError } from "../command-error.ts";
import { isDamaged } from "../store/damaged.ts";
import { demandKnown, schemaState } from "../store/sqlite/migrate.ts";
import { checksumsOf } from "./checksum.ts";
import { hasLabel, readLabel, type Label } from "./label.ts";
import { isWithinBounds } from "./sealed-secret.ts";
import { faultOf } from "./soundness.ts";

/** SQLite documentation, "Database File Format", section 1.3. */
const header = { bytes: 100, pageSizeAt: 16, pageCountAt: 28 };
const magic = "SQLite format 3\0";

/** @throws CommandError `backup-unreadable`, `backup-damaged`, `backup-foreign`, `data-too-new` */
export function readBackup(file: string): Label {
  demandWhole(file);
  return asBackup(file, () => {
    const database = openUnchanged(file);
    try {
      // Another program may have a number of its own in the place of the checksum.
      if (isForeign(database) && !hasLabel(database)) throw ofAnother(file);
      demandChecksum(file);
      return demandLabel(database, file);
    } finally {
      database.close();
    }
  });
}

/**
 * Demands that each page is sound, and what the tables say of each other.
 * @param copy of the back-up
 * @throws CommandError `backup-damaged`
 */
export function demandSound(copy: DatabaseSync, file: string): void {
  const fault = faultOf(copy);
  if (fault !== null) throw damaged(file, fault);
}

/** @throws CommandError `backup-unreadable`, `backup-foreign` */
function withBackupFile<Result>(file: string, use: (opened: number) => Result): Result {
  let opened: number;
  try {
    // A pipe would wait for its writer.
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    const stats = fstatSync(opened);
    if (stats.isDirectory()) throw foreign(file, "is a folder: name a file in it");
    if (!stats.isFile()) throw foreign(file, "is no file");
    return use(opened);
  } finally {
    closeSync(opened);
  }
}

/** Reads the next bytes of the file. @throws CommandError `backup-unreadable` */
function readNext(opened: number, into: Buffer, file: string): number {
  try {
    return readSync(opened, into);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** @throws CommandError `backup-damaged` if the file is shorter or longer than its header says */
function demandWhole(file: string): void {
  withBackupFile(file, (opened) => {
    const stats = fstatSync(opened);
    const bytes = Buffer.alloc(header.bytes);
    const length = readNext(opened, bytes, file);
    if (length === 0) throw damaged(file, "it is empty");
    if (!magic.startsWith(bytes.toString("latin1", 0, Math.min(length, magic.length)))) {
      throw foreign(file, "is not a database");
    }
    if (length < header.bytes) throw damaged(file, "its end is missing");
    // 1 stands for 65,536.
    const pageBytes = bytes.readUInt16BE(header.pageSizeAt);
    const wanted = bytes.readUInt32BE(header.pageCountAt) * (pageBytes === 1 ? 65_536 : pageBytes);
    if (stats.size === wanted) return;
    throw damaged(
      file,
      stats.size < wanted
        ? `it has ${stats.size} of ${wanted} bytes`
        : `it has ${stats.size} bytes, more than the ${wanted} of its database`,
    );
  });
}

/**
 * Reads the whole file.
 * @param take gets its bytes, part by part, before they are compared
 * @throws CommandError `backup-damaged` if a byte of the file has changed since it was made, and as withBackupFile
 */
export function demandChecksum(file: string, take?: (bytes: Buffer) => void): void {
  const { stored, sum } = withBackupFile(file, (opened) =>
    checksumsOf((into) => {
      const length = readNext(opened, into, file);
      take?.(into.subarray(0, length));
      return length;
    }),
  );
  // The first versions of Sineta stored none.
  if (stored !== 0 && stored !== sum) throw damaged(file, "its checksum is another one");
}

/** Without locks, a log or shared memory, which SQLite would put beside the file (SQLite documentation, "URI Filenames"). */
export function openUnchanged(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}

function isForeign(database: DatabaseSync): boolean {
  const schema = schemaState(database);
  return schema === "none" || schema === "foreign";
}

function demandLabel(database: DatabaseSync, file: string): Label {
  if (isForeign(database)) throw ofAnother(file);
  const label = readLabel(database);
  if (label === null) {
    throw foreign(
      file,
      "is a copy of Sineta's database that sineta backup has not made: put it into the data folder by hand as sineta.db, with its secret, and with its log sineta.db-wal if there is one",
    );
  }
  if (Number.isNaN(new Date(label.createdAtMs).getTime())) throw damaged(file, "it has no time");
  demandKnown(database, { what: `The back-up ${file}` });
  if (label.sealedSecret !== null && !isWithinBounds(label.sealedSecret)) {
    throw damaged(file, "its secret cannot be opened");
  }
  return label;
}

/**
 * Does what reads the back-up, or its copy.
 * @throws CommandError `backup-damaged` where SQLite finds the pages damaged, or other tables than Sineta's
 */
export function asBackup<Result>(file: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error && (isDamaged(error) || isMisfit(error)))) throw error;
    throw damaged(file, error.message, error);
  }
}

/** This SQL never changes. So if SQLite gives SQLITE_ERROR, the back-up has other tables than Sineta's. */
function isMisfit(error: Error): boolean {
  return "errcode" in error && (Number(error.errcode) & 0xff) === 1;
}

function damaged(file: string, what: string, cause?: unknown): CommandError {
  return new CommandError(
    "backup-damaged",
    `The back-up ${file} is damaged (${what}): copy it anew from where it was made, or take another one.`,
    { cause },
  );
}

function foreign(file: string, what: string): CommandError {
  return new CommandError("backup-foreign", `${file} ${what}. It is not a back-up of Sineta.`);
}

function ofAnother(file: string): CommandError {
  return foreign(file, "is another program's database");
}

function unreadable(file: string, cause: unknown): CommandError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = whyUnreadable[code] ?? `cannot be read because its disk fails (${code})`;
  return new CommandError("backup-unreadable", `The back-up ${file} ${why}.`, { cause });
}

/** By the codes of open(2) and read(2). */
const whyUnreadable: Readonly<Record<string, string>> = {
  ENOENT: "is not there: name the file that sineta backup has made",
  ENOTDIR: "is named as if a file were a folder: name the file that sineta backup has made",
  EACCES: "may not be read by this user: run the command as a user that may",
  EISDIR: "is a folder: name the file that sineta backup has made",
  ELOOP: "is a link that leads to itself: name the file that sineta backup has made",
  ENAMETOOLONG: "has too long a name: name the file that sineta backup has made",
  EMFILE: "cannot be opened because too many files are open: raise the limit (ulimit -n)",
  ENFILE:
    "cannot be opened because too many files are open on this machine: raise the limit (sysctl fs.file-max)",
};
