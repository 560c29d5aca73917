import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./command-error.ts";
import { databaseFile, dataError, isLink } from "./data-errors.ts";
import { openNewFile } from "./new-file.ts";
import { isServing } from "./serve-lock.ts";
import { openSqliteStore, schemaStateAt, type SchemaState } from "./store/sqlite/open.ts";
import type { ReadersOptions } from "./store/sqlite/reading/readers.ts";
import type { Store } from "./store/port.ts";

/**
 * Makes the data folder if it is not there. It holds keys and subscriptions, so it is its owner's alone.
 * @throws CommandError `data-unwritable`, `data-full`
 */
export function prepareDataFolder(path: string): void {
  try {
    makeFolder(path, path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw dataError(path, error) ?? error;
  }
}

/** What is free on the disk that the folder is on, for whoever is not its superuser. */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** With its parents. Node's own `recursive` never returns below /proc, where mkdir says ENOENT whatever is there. */
function makeFolder(path: string, dataFolder: string): void {
  if (isFolder(path, dataFolder)) return;
  makeFolder(dirname(path), dataFolder);
  mkdirSync(path, { mode: 0o700 });
}

/** @throws CommandError `data-unwritable` if something else is there */
function isFolder(path: string, dataFolder: string): boolean {
  const found = at(path);
  if (found === undefined) return false;
  if (found.isDirectory()) return true;
  throw new CommandError(
    "data-unwritable",
    `The data folder ${dataFolder} cannot be used because ${path === dataFolder ? "it" : path} is a file: ` +
      "set SINETA_DATA to a folder.",
  );
}

/**
 * Opens the database that is in the folder; makes nothing, so that a mistyped folder is not taken for a new site.
 * @throws CommandError `data-missing`, `data-unwritable`, `data-damaged`, `data-in-use`, `data-too-new`, `data-full`,
 *   `server-outdated`
 */
export async function openPresentDataFolder(path: string, nowMs: number): Promise<Store> {
  const schema = schemaIn(path);
  if (schema === "none" || schema === "foreign") {
    throw new CommandError(
      "data-missing",
      `There is no Sineta data in ${path}: name the server's folder with SINETA_DATA, or start sineta serve first.`,
    );
  }
  if (schema === "pending" && isServing(path)) {
    throw new CommandError(
      "server-outdated",
      `An older Sineta server runs on ${path}, which would not understand what this version writes: ` +
        "start it again with this version.",
    );
  }
  return openDatabaseIn(path, nowMs);
}

/**
 * Opens the database in the folder, and makes both where they are missing.
 * @param beside as `openSqliteStore` has it
 * @throws CommandError `data-unwritable`, `data-damaged`, `data-in-use`, `data-too-new`, `data-full`
 */
export async function openDataFolder(
  path: string,
  nowMs: number,
  beside?: ReadersOptions,
): Promise<Store> {
  prepareDataFolder(path);
  const file = databaseFile(path);
  const schema = schemaIn(path);
  if (schema === "foreign" || (schema === "none" && at(file) !== undefined)) {
    // Another one would have other keys, and every visitor would be lost.
    const what = schema === "none" ? "is empty" : "is another program's";
    throw new CommandError(
      "data-damaged",
      `The database ${file} ${what}: put a back-up in its place, or set SINETA_DATA to another folder.`,
    );
  }
  if (schema === "none") await makeDatabase(path, nowMs);
  return openDatabaseIn(path, nowMs, beside);
}

async function openDatabaseIn(
  path: string,
  nowMs: number,
  beside?: ReadersOptions,
): Promise<Store> {
  const file = databaseFile(path);
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return await openSqliteStore(file, nowMs, beside);
  } catch (error) {
    throw dataError(path, error) ?? error;
  }
}

/** How far the schema of the folder's database is; `none` also where there is no database. Makes no file. */
function schemaIn(path: string): SchemaState {
  const file = databaseFile(path);
  try {
    if (isFolder(path, path) && at(file) !== undefined) return schemaStateAt(file);
    // A link to nothing is told as that, since the data may be where it led to.
    for (const each of [path, file]) if (isLink(each)) statSync(each);
    return "none";
  } catch (error) {
    throw dataError(path, error) ?? error;
  }
}

/** Undefined if nothing is there. @throws the error of stat(2) where this user cannot know */
function at(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/**
 * A start that is killed, or finds the disk full, leaves no database behind that looks like one whose data is lost. The file is its
 * owner's alone, also in a folder that others may read; SQLite gives its other files the same mode.
 */
async function makeDatabase(path: string, nowMs: number): Promise<void> {
  const file = databaseFile(path);
  const unfinished = `${file}.new`;
  const remove = () => {
    for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(unfinished + end, { force: true });
  };
  try {
    remove();
    closeSync(openNewFile(unfinished));
    const store = await openSqliteStore(unfinished, nowMs);
    await store.close();
    renameSync(unfinished, file);
  } catch (error) {
    // Telling why is all that is left to do if that fails, too.
    try {
      remove();
    } catch {}
    throw dataError(path, error) ?? error;
  }
}
