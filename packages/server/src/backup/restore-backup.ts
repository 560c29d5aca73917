import {
  closeSync,
  existsSync,
  fsyncSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../command-error.ts";
import type { Terminal } from "../commands/command.ts";
import { databaseFile } from "../data-errors.ts";
import { prepareDataFolder } from "../data-folder.ts";
import { openNewFile } from "../new-file.ts";
import type { GivenSecret } from "../secrets/given-secret.ts";
import { placeSecret, syncFolder } from "../secrets/secret-file.ts";
import { isServing, takeServeLock } from "../serve-lock.ts";
import { countsOf, type Counts } from "./counts.ts";
import type { Label } from "./label.ts";
import { asBackup, demandChecksum, demandSound, readBackup } from "./read-backup.ts";
import { findWantedSecret, type WantedSecret } from "./wanted-secret.ts";

export type Restored = Counts & { label: Label; secret: WantedSecret };

/**
 * What may be in a folder that counts as empty: the lock, which holds no data, what a killed command has left, the secret, which is
 * looked at apart, and what a file system keeps in its root.
 */
const harmless =
  /^(serve\.lock(-journal)?|sineta\.db\.(part|new)(-journal|-wal|-shm)?|secret(\.part)?|lost\+found)$/;

/**
 * Puts a back-up into an empty data folder. Until the last step there is no database, so that a killed restore can be begun again.
 * @param file absolute path; never written to
 * @param passphrase SINETA_BACKUP_PASSPHRASE; null: the terminal is asked
 * @throws CommandError `data-in-use`, `data-present`, `data-unwritable`, `data-full`, `backup-unreadable`, `backup-damaged`,
 *   `backup-foreign`, `data-too-new`, `secret-unusable`, `passphrase-unusable`, `setting-invalid`
 */
export async function restoreBackup(parts: {
  file: string;
  dataFolder: string;
  secret: GivenSecret | null;
  passphrase: string | null;
  terminal: Pick<Terminal, "askHidden" | "err">;
}): Promise<Restored> {
  const { file, dataFolder, passphrase: given } = parts;
  if (isServing(dataFolder)) {
    throw new CommandError(
      "data-in-use",
      `A Sineta server works on ${dataFolder}: stop it and move its data away, or set SINETA_DATA to an empty folder.`,
    );
  }
  demandEmpty(dataFolder);
  const label = readBackup(file);
  const secret = await findWantedSecret({ ...parts, label, given });
  prepareDataFolder(dataFolder);
  const release = takeServeLock(dataFolder);
  try {
    // A server may have come and gone while the passphrase was asked for.
    demandEmpty(dataFolder);
    const counts = writeDatabase(file, dataFolder, () => {
      if (secret.kind === "sealed") placeSecret(dataFolder, secret.secret);
    });
    return { ...counts, label, secret };
  } finally {
    release();
  }
}

/** @throws CommandError `data-in-use`, `data-present` */
function demandEmpty(dataFolder: string): void {
  if (!existsSync(dataFolder)) return;
  const found = namesIn(dataFolder).find((name) => !harmless.test(name));
  if (found !== undefined) {
    throw new CommandError(
      "data-present",
      `The data folder ${dataFolder} is not empty, because ${found} is there: move what is there away, or set SINETA_DATA to an empty folder.`,
    );
  }
}

function namesIn(dataFolder: string): string[] {
  // Says what else is there, or in the way.
  prepareDataFolder(dataFolder);
  return readdirSync(dataFolder).toSorted();
}

/** @param beforeLast done once all is on the disk but the database's name */
function writeDatabase(file: string, dataFolder: string, beforeLast: () => void): Counts {
  const part = `${databaseFile(dataFolder)}.part`;
  const removePart = () => {
    // SQLite would read a log that lies there, whatever database it belongs to.
    for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(part + end, { force: true });
  };
  removePart();
  try {
    const opened = openNewFile(part);
    try {
      copyInto(opened, file);
      const counts = finishCopy(part, file);
      fsyncSync(opened);
      beforeLast();
      renameSync(part, databaseFile(dataFolder));
      syncFolder(dataFolder);
      return counts;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    removePart();
    throw error;
  }
}

/** Compares the checksum again: the file may have changed while the operator typed the passphrase. */
function copyInto(opened: number, file: string): void {
  demandChecksum(file, (bytes) => {
    for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at);
  });
}

/** Removes the label, with the sealed secret in it, and the checksum. `secure_delete` overwrites the freed pages. */
function finishCopy(part: string, file: string): Counts {
  return asBackup(file, () => {
    const copy = new DatabaseSync(part);
    try {
      demandSound(copy, file);
      copy.exec(
        "pragma journal_mode = memory; pragma synchronous = off; pragma secure_delete = on",
      );
      // The checksum stands in the place of this number.
      copy.exec("drop table backup; pragma application_id = 0");
      return countsOf(copy);
    } finally {
      copy.close();
    }
  });
}
