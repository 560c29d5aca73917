import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { openSealedKey } from "./sealed-key.ts";

const secretBytes = 32;

export function secretPath(dataFolder: string): string {
  return join(dataFolder, "secret");
}

/**
 * The secret of the data folder: 32 bytes, null if there is no such file.
 * @throws CommandError `secret-unusable` if the file is there and is not a secret
 */
export function readSecret(dataFolder: string): Uint8Array | null {
  const path = secretPath(dataFolder);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new CommandError("secret-unusable", `The secret ${path} cannot be read: put it back.`, {
      cause: error,
    });
  }
  const secret = Buffer.from(text.trim(), "base64url");
  if (secret.length !== secretBytes) {
    throw new CommandError(
      "secret-unusable",
      `The file ${path} is not the secret that Sineta made: put the right one back.`,
    );
  }
  return secret;
}

/**
 * Opens a key that the database holds.
 * @param secret of the data folder; null if there is none
 * @param label as it was sealed with
 * @throws CommandError `secret-unusable` if there is no secret, or if it is another one
 */
export function openStoredKey(
  dataFolder: string,
  secret: Uint8Array | null,
  label: string,
  sealed: Uint8Array,
): Uint8Array {
  if (secret === null) {
    throw new CommandError(
      "secret-unusable",
      `The file ${secretPath(dataFolder)} is missing, and the stored keys cannot be opened without it: put it back.`,
    );
  }
  const key = openSealedKey(secret, label, sealed);
  if (key === null) {
    throw new CommandError(
      "secret-unusable",
      `The file ${secretPath(dataFolder)} does not fit the stored keys: put back the one that belongs to this data folder.`,
    );
  }
  return key;
}

/** A sentence for the operator if others may read or write the secret; null if all is well or there is none. */
export function secretWarning(dataFolder: string): string | null {
  // Windows has no such modes.
  if (process.platform === "win32") return null;
  const path = secretPath(dataFolder);
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || (file.mode & 0o077) === 0) return null;
  return `Other users of this machine may read the secret ${path}: take that from them with chmod 600 ${path}`;
}

/**
 * Makes the secret, readable by its owner alone, and returns it. It appears whole or not at all, and whoever is
 * second gets the secret of the first: the file is written under another name and linked to its own.
 */
export function createSecret(
  dataFolder: string,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array {
  const path = secretPath(dataFolder);
  const draft = `${path}.${Buffer.from(randomBytes(6)).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${Buffer.from(randomBytes(secretBytes)).toString("base64url")}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dataFolder);
  const secret = readSecret(dataFolder);
  if (secret === null) {
    throw new CommandError("secret-unusable", `The secret ${path} vanished while it was made.`);
  }
  return secret;
}

/** So that the secret's name survives a loss of power, as the keys that it opens will. */
function syncFolder(path: string): void {
  // Windows opens no folders, and writes their entries through by itself.
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
