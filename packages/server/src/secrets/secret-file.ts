import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { openNewFile } from "../new-file.ts";
import { readTextFileIfThere } from "../text-file.ts";

const secretBytes = 32;

export function secretPath(dataFolder: string): string {
  return join(dataFolder, "secret");
}

/** Where the secret of a rotation stands until everything is sealed with it. */
function nextSecretPath(dataFolder: string): string {
  return `${secretPath(dataFolder)}.next`;
}

/**
 * The secret of the data folder: 32 bytes, null if there is no such file.
 * @throws CommandError `secret-unusable` if the file is there and is not a secret
 */
export function readSecret(dataFolder: string): Uint8Array | null {
  return readSecretAt(secretPath(dataFolder));
}

/** That of a rotation that was killed; null if there is none, or if it is not whole. */
export function readNextSecret(dataFolder: string): Uint8Array | null {
  try {
    return readSecretAt(nextSecretPath(dataFolder));
  } catch {
    return null;
  }
}

function readSecretAt(path: string): Uint8Array | null {
  const text = readTextFileIfThere({
    path,
    name: "The secret",
    code: "secret-unusable",
    anyBytes: true,
    refusesPipe: true,
  });
  if (text === null) return null;
  const secret = Buffer.from(text.trim(), "base64url");
  if (secret.length !== secretBytes) {
    throw new CommandError(
      "secret-unusable",
      `The file ${path} is not the secret that Sineta made: put the right one back.`,
    );
  }
  return secret;
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
  writeSecret(draft, randomBytes(secretBytes));
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

/**
 * Puts a secret into a folder that has none. It appears whole or not at all. No server may be running.
 * @param secret 32 bytes
 */
export function placeSecret(dataFolder: string, secret: Uint8Array): void {
  const part = `${secretPath(dataFolder)}.part`;
  rmSync(part, { force: true });
  writeSecret(part, secret);
  renameSync(part, secretPath(dataFolder));
  syncFolder(dataFolder);
}

/** Writes a new secret beside the one there is, in place of what an earlier rotation may have left there. */
export function writeNextSecret(
  dataFolder: string,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array {
  const path = nextSecretPath(dataFolder);
  rmSync(path, { force: true });
  writeSecret(path, randomBytes(secretBytes));
  syncFolder(dataFolder);
  const secret = readSecretAt(path);
  if (secret === null) throw new Error("a secret that was written is not there");
  return secret;
}

/**
 * The new secret takes the place of the old one, at once and for good. Another command may have done so meanwhile.
 * @param next the new secret
 */
export function promoteNextSecret(dataFolder: string, next: Uint8Array): void {
  try {
    renameSync(nextSecretPath(dataFolder), secretPath(dataFolder));
  } catch (error) {
    const current = readSecret(dataFolder);
    if (current === null || Buffer.compare(current, next) !== 0) throw error;
  }
  syncFolder(dataFolder);
}

/** Once nothing is sealed with it any more. */
export function removeSecret(dataFolder: string): void {
  rmSync(secretPath(dataFolder), { force: true });
  rmSync(nextSecretPath(dataFolder), { force: true });
  syncFolder(dataFolder);
}

function writeSecret(path: string, secret: Uint8Array): void {
  const file = openNewFile(path);
  try {
    writeSync(file, `${Buffer.from(secret).toString("base64url")}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** So that the names of the folder's files survive a loss of power. */
export function syncFolder(path: string): void {
  // Windows opens no folders, and writes their entries through by itself.
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
