import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CommandError } from "./command-error.ts";
import { databaseFile, dataError, isLink } from "./data-errors.ts";
import { birthTimeOf } from "./database-home.ts";
import { openNewFile } from "./new-file.ts";
import { secretPath } from "./secrets/secret-file.ts";
import { isServing } from "./serve-lock.ts";
import {
  openSqliteStore,
  schemaStateAfterWriter,
  schemaStateAt,
  type SchemaState,
} from "./store/sqlite/open.ts";
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

/** @throws CommandError `data-unwritable` if something else is there or in the place of a folder above */
function isFolder(path: string, dataFolder: string): boolean {
  const found = at(path);
  if (found === undefined) {
    if (path !== dirname(path)) isFolder(dirname(path), dataFolder);
    return false;
  }
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
  const schema = demandData(path);
  if (schema === "pending" && isServing(path)) await waitForUpgrade(path, upgradePatienceMs);
  try {
    return await openDatabaseIn(path, nowMs);
  } catch (error) {
    throw isInUse(error) && isServing(path) ? notReady(path, error) : error;
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof CommandError && error.code === "data-in-use";
}

/** After the migrations an upgrade assigns the registrations to the push services, in a transaction of its own. */
function notReady(path: string, cause: unknown): CommandError {
  return new CommandError(
    "data-in-use",
    `A Sineta server runs on ${path}, and it or another program writes there for long: ` +
      "wait until sineta ready succeeds, then run the command again.",
    { cause },
  );
}

/** A short upgrade ends meanwhile. */
const upgradePatienceMs = 2000;

/** Longer than an older server writes at a time, so that its writing is not taken for an upgrade. */
const lookMs = 100;

/**
 * Waits until the server that runs on the folder has upgraded the schema, or has ended. A server of this version takes its lock first and
 * begins the upgrade a moment later; an older server never does.
 * @throws CommandError `data-in-use` if the server still upgrades after `patienceMs`; `server-outdated` if it has not begun by then
 */
export async function waitForUpgrade(path: string, patienceMs: number): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const schema = schemaStateAfterWriter(databaseFile(path), lookMs);
    if (schema === "applied" || !isServing(path)) return;
    if (performance.now() > endMs) throw schema === "writing" ? upgrading(path) : outdated(path);
    await setTimeout(lookMs);
  }
}

function upgrading(path: string): CommandError {
  return new CommandError(
    "data-in-use",
    `A Sineta server upgrades the data in ${path}: wait until it is ready, then run the command again.`,
  );
}

function outdated(path: string): CommandError {
  return new CommandError(
    "server-outdated",
    `An older Sineta server runs on ${path}, which would not understand what this version writes: ` +
      "start it again with this version.",
  );
}

/**
 * Demands that the folder has Sineta's database in it; makes nothing.
 * @throws CommandError `data-missing`, `data-unwritable`, `data-damaged`, `data-in-use`
 */
export function demandData(path: string): "pending" | "applied" {
  const schema = schemaIn(path);
  if (schema !== "missing") return schema;
  throw new CommandError(
    "data-missing",
    `There is no Sineta data in ${path}: name the server's folder with SINETA_DATA, or start sineta serve first.`,
  );
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
  const schema = schemaIn(path);
  if (schema === "missing") await makeDatabase(path, nowMs);
  // The server answers no request meanwhile.
  if (schema === "pending") beside?.log.info("upgrading the data of an earlier version");
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
    const store = await openSqliteStore(file, nowMs, beside);
    await settleHome(store, file, nowMs);
    return store;
  } catch (error) {
    throw dataError(path, error) ?? error;
  }
}

/** A server and a command alike notice that the folder is a copy, so that both say that delivery is held. */
async function settleHome(store: Store, file: string, nowMs: number): Promise<void> {
  try {
    const bornNs = birthTimeOf(file);
    if (bornNs !== null) await store.hold.settleHome(bornNs, nowMs);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * How far the schema of the folder's database is; `missing` where there has been none. Makes no file and removes none.
 * @throws CommandError `data-unwritable`; `data-damaged` also where the data is lost: another database would have other keys, and
 *   every visitor would be lost
 */
function schemaIn(path: string): Exclude<SchemaState, "none" | "foreign"> | "missing" {
  const file = databaseFile(path);
  try {
    isFolder(path, path);
    // Looked for before the database, which a server that starts beside makes first.
    const remains = remainsIn(path);
    const found = at(file);
    if (found === undefined) {
      // A link to nothing is told as that, since the data may be where it led to.
      for (const each of [path, file]) if (isLink(each)) statSync(each);
      if (remains !== null) throw damaged(`${file} is missing, but ${remains}`);
      return "missing";
    }
    // SQLite would remove the log beside an empty file.
    const schema = found.isFile() && found.size === 0 ? "none" : schemaStateAt(file);
    if (schema === "foreign") {
      throw damaged(`${file} is another program's: set SINETA_DATA to another folder`);
    }
    if (schema === "none") {
      throw damaged(
        `${file} is empty: ${backUpFor(["it", logOf(file)])}, or set SINETA_DATA to another folder`,
      );
    }
    return schema;
  } catch (error) {
    throw dataError(path, error) ?? error;
  }
}

function damaged(what: string): CommandError {
  return new CommandError("data-damaged", `The database ${what}.`);
}

/** What there is of a database that is lost, and what to do then; null if nothing is there. */
function remainsIn(path: string): string | null {
  const file = databaseFile(path);
  const log = logOf(file);
  if (log !== undefined) {
    return `its log ${log} is there: put the database back beside it, or ${backUpFor([log])}`;
  }
  const secret = secretPath(path);
  if (!existsSync(secret)) return null;
  return `the secret ${secret} is there: ${backUpFor([])}, or move the secret away to begin a new site`;
}

/** @param inTheWay what sineta restore would refuse */
function backUpFor(inTheWay: readonly (string | undefined)[]): string {
  const there = inTheWay.filter((each) => each !== undefined);
  const before = there.length === 0 ? "" : `move ${there.join(" and ")} away and `;
  return `${before}put a back-up there with sineta restore FILE`;
}

function logOf(file: string): string | undefined {
  return [`${file}-wal`, `${file}-journal`].find((path) => existsSync(path));
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
