import { accessSync, closeSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "./command-error.ts";
import { dataError } from "./data-errors.ts";
import { openNewFile } from "./new-file.ts";
import { isBusy } from "./store/busy.ts";

/**
 * One server at a time works on a data folder. The lock is SQLite's exclusive lock on a file of its own: the
 * operating system lets go of it when the process ends, however it ends, so there is nothing stale to clean up.
 */
const fileName = "serve.lock";

/** A look at the lock (`isServing`) holds it for a moment; a server that starts just then waits this long. */
const patienceMs = 500;

/**
 * Takes the lock, for as long as the returned function has not been called.
 * @throws CommandError `data-in-use`, `data-unwritable`, `data-full`
 */
export function takeServeLock(dataFolder: string): () => void {
  makeLock(dataFolder);
  const database = openLock(dataFolder, patienceMs);
  try {
    // SQLite opens a file that may only be read, and its lock would then keep nobody out.
    accessSync(join(dataFolder, fileName), constants.W_OK);
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw unusable(dataFolder, error);
    throw new CommandError(
      "data-in-use",
      `Another Sineta server already works on ${dataFolder}: stop it, or set SINETA_DATA to another folder.`,
      { cause: error },
    );
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

/** Whether a server works on this data folder now. Makes no file. @throws CommandError `data-unwritable` */
export function isServing(dataFolder: string): boolean {
  if (!existsSync(join(dataFolder, fileName))) return false;
  const database = openLock(dataFolder, 0);
  try {
    database.prepare("select count(*) from sqlite_schema").get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw unusable(dataFolder, error);
  } finally {
    database.close();
  }
}

function makeLock(dataFolder: string): void {
  const path = join(dataFolder, fileName);
  if (existsSync(path)) return;
  try {
    closeSync(openNewFile(path));
  } catch (error) {
    // Another server may have made it meanwhile.
    if (!existsSync(path)) throw unusable(dataFolder, error);
  }
}

function openLock(dataFolder: string, timeout: number): DatabaseSync {
  try {
    return new DatabaseSync(join(dataFolder, fileName), { timeout });
  } catch (error) {
    throw unusable(dataFolder, error);
  }
}

function unusable(dataFolder: string, cause: unknown): CommandError {
  const told = dataError(dataFolder, cause);
  if (told !== null && told.code !== "data-damaged") return told;
  return new CommandError(
    "data-unwritable",
    `The lock ${join(dataFolder, fileName)} is damaged: it holds no data, so remove it.`,
    { cause },
  );
}
