import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import packageJson from "../../package.json" with { type: "json" };
import { CommandError } from "../command-error.ts";
import { databaseFile } from "../data-errors.ts";
import { demandData } from "../data-folder.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { fittingKey, noFittingKey, possibleKeys } from "../secrets/fitting-key.ts";
import { isIn, type GivenSecret } from "../secrets/given-secret.ts";
import { addFunctions, busyTimeoutMs, connect } from "../store/sqlite/connection.ts";
import { demandKnown, migrate } from "../store/sqlite/migrate.ts";
import { sealedStore } from "../store/sqlite/sealed.ts";
import { makeBackupFile, type BackupPlace } from "./backup-file.ts";
import { countsOf, type Counts } from "./counts.ts";
import { writeLabel } from "./label.ts";
import { sealSecret } from "./sealed-secret.ts";

export type BackupParts = {
  dataFolder: string;
  secret: GivenSecret | null;
  place: BackupPlace;
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
  const { dataFolder, place } = parts;
  demandData(dataFolder);
  if (isIn(dataFolder, place.file)) {
    throw new CommandError(
      "backup-unwritable",
      `The back-up ${place.file} would lie in the data folder, and be lost with it: name another folder.`,
    );
  }
  // Read before the copy: a rotation may end meanwhile. A secret that is missing is told before a large database is copied.
  const keys = possibleKeys(parts);
  if (keys.length === 0) throw noFittingKey(keys, parts);
  const source = openSource(databaseFile(dataFolder));
  try {
    demandKnown(source, { what: "The data folder" });
    const { result, bytes } = await makeBackupFile(place, () => {
      // One read transaction: writers go on meanwhile (SQLite documentation, "VACUUM").
      source.prepare("vacuum into ?").run(place.part);
      return finishCopy(parts, keys);
    });
    return { ...result, bytes };
  } finally {
    source.close();
  }
}

/** The last to close a database removes its log: one that a crash has left stays as it is. */
function openSource(file: string): DatabaseSync {
  const readOnly = existsSync(`${file}-wal`);
  return new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs });
}

async function finishCopy(
  parts: BackupParts,
  keys: readonly Uint8Array[],
): Promise<Omit<Backup, "bytes">> {
  const { passphrase, place, randomBytes, nowMs } = parts;
  const copy = new DatabaseSync(place.part);
  try {
    // No file beside the copy. A crash leaves no copy that anything would read.
    copy.exec("pragma journal_mode = memory; pragma synchronous = off");
    addFunctions(copy);
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

/** A restored server would send again what was sent since the back-up, so its operator looks first. */
function holdDelivery(copy: DatabaseSync, nowMs: number): void {
  const hold = copy.prepare("select 1 from sqlite_schema where name = 'delivery_hold'").get();
  if (hold === undefined) migrate(copy, nowMs);
  copy.exec(`
    delete from database_home;
    delete from delivery_hold;
    insert or ignore into doubtful_messages
      select id from messages where state in ('scheduled', 'sending', 'paused')`);
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
