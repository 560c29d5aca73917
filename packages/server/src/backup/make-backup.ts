import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import packageJson from "../../package.json" with { type: "json" };
import { CommandError } from "../command-error.ts";
import { databaseFile } from "../data-errors.ts";
import { demandData } from "../data-folder.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { fittingKey, noFittingKey, possibleKeys } from "../secrets/fitting-key.ts";
import { isIn, type GivenSecret } from "../secrets/given-secret.ts";
import { isDamaged } from "../store/damaged.ts";
import { addFunctions, busyTimeoutMs, connect } from "../store/sqlite/connection.ts";
import { demandKnown, migrate } from "../store/sqlite/migrate.ts";
import { sealedStore } from "../store/sqlite/sealed.ts";
import { isStorageFull } from "../store/storage-full.ts";
import { makeBackupFile, unwritableCopy } from "./backup-file.ts";
import { countsOf, type Counts } from "./counts.ts";
import { writeLabel } from "./label.ts";
import { sealSecret } from "./sealed-secret.ts";
import { faultOf } from "./soundness.ts";

export type BackupParts = {
  dataFolder: string;
  secret: GivenSecret | null;
  /** Absolute path. */
  file: string;
  /** What to seal the secret with in the back-up; null: leave the secret out. */
  passphrase: string | null;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
};

export type Backup = Counts & { bytes: number; secretFingerprint: string };

/**
 * Copies the database as it is at one moment, also while a server runs, and changes nothing in the data folder.
 * @throws CommandError `data-missing`, `data-unwritable`, `data-damaged`, `data-in-use`, `data-too-new`, `data-full`,
 *   `secret-unusable`, `setting-invalid`, `backup-exists`, `backup-unwritable`
 */
export async function makeBackup(parts: BackupParts): Promise<Backup> {
  const { dataFolder, file } = parts;
  demandData(dataFolder);
  // The file is not there yet, so only its folder can be followed through links.
  if (isIn(dataFolder, dirname(file))) {
    throw new CommandError(
      "backup-unwritable",
      `The back-up ${file} would lie in the data folder, and be lost with it: name another folder.`,
    );
  }
  // Read before the copy: a rotation may end meanwhile. A secret that is missing is told before a large database is copied.
  const keys = possibleKeys(parts);
  if (keys.length === 0) throw noFittingKey(keys, parts);
  const source = openSource(databaseFile(dataFolder));
  try {
    demandKnown(source, { what: "The data folder" });
    const { result, bytes } = await makeBackupFile(parts, async (part) => {
      copyDatabase(source, part, file);
      try {
        return await finishCopy(part, parts, keys);
      } catch (error) {
        const isOfCopy = isOfSqlite(error) && !isDamaged(error) && !isStorageFull(error);
        throw isOfCopy ? unwritableCopy(file, error) : error;
      }
    });
    return { ...result, bytes };
  } finally {
    source.close();
  }
}

/** SQLite removes the log when the last connection closes. A read-only connection leaves the log of a crashed server. */
function openSource(file: string): DatabaseSync {
  const readOnly = existsSync(`${file}-wal`);
  return new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs });
}

function copyDatabase(source: DatabaseSync, part: string, file: string): void {
  try {
    // One read transaction: writers go on meanwhile (SQLite documentation, "VACUUM").
    source.prepare("vacuum into ?").run(part);
  } catch (error) {
    throw isOfSqlite(error) && ofWriting.has(error.errcode) ? unwritableCopy(file, error) : error;
  }
}

/**
 * SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC and SQLITE_IOERR_TRUNCATE (SQLite documentation, "Result
 * and Extended Result Codes"). The source is open already, and nothing is written to it.
 */
const ofWriting: ReadonlySet<unknown> = new Set([8, 14, 1034, 1290, 1546]);

function isOfSqlite(error: unknown): error is Error & { errcode: unknown } {
  return error instanceof Error && "errcode" in error;
}

async function finishCopy(
  part: string,
  parts: BackupParts,
  keys: readonly Uint8Array[],
): Promise<Omit<Backup, "bytes">> {
  const { passphrase, randomBytes, nowMs } = parts;
  const copy = new DatabaseSync(part);
  try {
    // No file beside the copy. A crash leaves no copy that anything would read.
    copy.exec("pragma journal_mode = memory; pragma synchronous = off");
    addFunctions(copy);
    demandSound(copy, parts.dataFolder);
    holdDelivery(copy, nowMs);
    const key = await keyOfCopy(copy, parts, keys);
    const secretFingerprint = fingerprintOf(key);
    const sealedSecret =
      passphrase === null ? null : await sealSecret({ secret: key, passphrase, randomBytes });
    const { version } = packageJson;
    writeLabel(copy, { version, createdAtMs: nowMs, secretFingerprint, sealedSecret });
    return { ...countsOf(copy), secretFingerprint };
  } finally {
    copy.close();
  }
}

/** @throws CommandError `data-damaged`: the copy is as the database is */
function demandSound(copy: DatabaseSync, dataFolder: string): void {
  const fault = faultOf(copy);
  if (fault === null) return;
  const database = databaseFile(dataFolder);
  throw new CommandError(
    "data-damaged",
    `The database ${database} is damaged (${fault}), so no back-up was made: keep the earlier back-ups. Stop Sineta, move ${database}, ${database}-wal and ${database}-shm away, and put the latest back-up there with sineta restore FILE.`,
  );
}

/** A restored server would send again what was sent since the back-up, so its operator looks first. */
function holdDelivery(copy: DatabaseSync, nowMs: number): void {
  const dueTimes = "select 1 from pragma_table_info('doubtful_messages') where name = 'due_at_ms'";
  if (copy.prepare(dueTimes).get() === undefined) migrate(copy, nowMs);
  copy.exec(`
    delete from database_home;
    delete from delivery_hold;
    insert into doubtful_messages (message_id, due_at_ms)
      select id, scheduled_at_ms from messages where state in ('scheduled', 'sending', 'paused')
      on conflict do update set due_at_ms = min(due_at_ms, excluded.due_at_ms)`);
  copy.prepare("insert into delivery_hold values ('restored', ?)").run(nowMs);
}

/**
 * @param before the keys from before the copy
 * @throws CommandError `secret-unusable` if no secret opens the keys in the copy
 */
async function keyOfCopy(
  copy: DatabaseSync,
  parts: BackupParts,
  before: readonly Uint8Array[],
): Promise<Uint8Array> {
  const all = await sealedStore(connect(copy)).all();
  const found = fittingKey(before, all);
  if (found !== null) return found;
  const after = possibleKeys(parts);
  const later = fittingKey(after, all);
  if (later !== null) return later;
  if (namesOf(before) === namesOf(after)) throw noFittingKey(after, parts);
  throw new CommandError(
    "secret-unusable",
    "The secret changed while the back-up was made, so no back-up was made: call the command again.",
  );
}

function namesOf(keys: readonly Uint8Array[]): string {
  return keys.map((key) => fingerprintOf(key)).join();
}
