import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "./command-error.ts";
import { isServing } from "./serve-lock.ts";
import { isOutdated, openSqliteStore } from "./store/sqlite/open.ts";
import type { ReadersOptions } from "./store/sqlite/reading/readers.ts";
import type { Store } from "./store/port.ts";
import { isStorageFull } from "./store/storage-full.ts";

/**
 * Makes the data folder if it is not there. It holds keys and subscriptions, so it is its owner's alone.
 * @throws CommandError `data-unwritable`; what `isStorageFull` knows, where the disk is full
 */
export function prepareDataFolder(path: string): void {
  try {
    makeFolder(path, path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof CommandError || isStorageFull(error)) throw error;
    throw unwritable(path, error);
  }
}

/** What is free on the disk that the folder is on, for whoever is not its superuser. */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** With its parents. Node's own `recursive` never returns below /proc, where mkdir says ENOENT whatever is there. */
function makeFolder(path: string, dataFolder: string): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return;
    throw new CommandError(
      "data-unwritable",
      `The data folder ${dataFolder} cannot be written because ${path === dataFolder ? "it" : path} is a file: ` +
        "set SINETA_DATA to a folder.",
    );
  }
  makeFolder(dirname(path), dataFolder);
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Opens the database that is in the folder; makes nothing, so that a mistyped folder is not taken for a new site.
 * @throws CommandError `data-missing`, `data-unwritable`, `data-too-new`, `server-outdated`
 */
export async function openPresentDataFolder(path: string, nowMs: number): Promise<Store> {
  if (!existsSync(databaseFile(path))) {
    throw new CommandError(
      "data-missing",
      `There is no Sineta data in ${path}: name the server's folder with SINETA_DATA, or start sineta serve first.`,
    );
  }
  if (isServing(path) && isOutdated(databaseFile(path))) {
    throw new CommandError(
      "server-outdated",
      `An older Sineta server runs on ${path}, which would not understand what this version writes: ` +
        "start it again with this version.",
    );
  }
  return openDataFolder(path, nowMs);
}

/**
 * Opens the database in the folder, and makes both where they are missing.
 * @param beside as `openSqliteStore` has it
 * @throws CommandError `data-unwritable`, `data-too-new`; what `isStorageFull` knows, where the disk is full
 */
export async function openDataFolder(
  path: string,
  nowMs: number,
  beside?: ReadersOptions,
): Promise<Store> {
  prepareDataFolder(path);
  const file = databaseFile(path);
  try {
    makePrivate(file);
    return await openSqliteStore(file, nowMs, beside);
  } catch (error) {
    if (error instanceof CommandError || isStorageFull(error)) throw error;
    throw unwritable(path, error);
  }
}

/**
 * Makes the file for its owner alone, also in a folder that others may read; SQLite gives its other files the same
 * mode. Only if it is not there: closing a second handle on a database gives up this process's locks on it (SQLite,
 * "How to corrupt a database file", section 2.2).
 */
function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

function unwritable(path: string, cause: unknown): CommandError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(
    "data-unwritable",
    `The data folder ${path} cannot be written (${why}): give it to this user, or set SINETA_DATA to another folder.`,
    { cause },
  );
}

function databaseFile(path: string): string {
  return join(path, "sineta.db");
}
