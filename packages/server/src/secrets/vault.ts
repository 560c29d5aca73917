import { hkdfSync } from "node:crypto";
import { CommandError } from "../command-error.ts";
import { textOfSecret, type GivenSecret } from "./given-secret.ts";
import { openSealedKey, sealKey } from "./sealed-key.ts";
import {
  createSecret,
  promoteNextSecret,
  readNextSecret,
  readSecret,
  secretPath,
} from "./secret-file.ts";

/** Seals what the database must not give away to whoever gets hold of it, and opens it again. */
export type Vault = {
  /** @param label see labels.ts @throws CommandError `secret-unusable` if there is no secret */
  seal(label: string, plain: Uint8Array): Uint8Array;
  /** @throws CommandError `secret-unusable` if there is no secret, or if it is another one */
  open(label: string, sealed: Uint8Array): Uint8Array;
  /**
   * Makes a secret if there is none. Only where nothing is sealed yet: one that is made in the place of a lost one opens
   * nothing.
   */
  prepare(): void;
};

export type VaultParts = {
  dataFolder: string;
  /** Null or absent: what the file in the data folder holds. */
  secret?: GivenSecret | null;
  randomBytes: (count: number) => Uint8Array;
};

/** @throws CommandError `setting-invalid`, `secret-unusable` if a secret cannot be read */
export function openVault({ dataFolder, secret = null, randomBytes }: VaultParts): Vault {
  const given = secret === null ? null : keyOfGiven(secret, dataFolder);
  let current = given ?? readSecret(dataFolder);

  /** A rotation that was killed after it had stored everything, and before its secret had the right name. */
  function openWithNext(label: string, sealed: Uint8Array): Uint8Array | null {
    const next = given === null ? readNextSecret(dataFolder) : null;
    if (next === null) return null;
    const plain = openSealedKey(next, label, sealed);
    if (plain === null) return null;
    promoteNextSecret(dataFolder, next);
    current = next;
    return plain;
  }

  return {
    seal(label, plain) {
      if (current === null) throw missing(dataFolder);
      return sealKey(current, label, plain, randomBytes);
    },
    open(label, sealed) {
      if (current === null) throw missing(dataFolder);
      const plain = openSealedKey(current, label, sealed) ?? openWithNext(label, sealed);
      if (plain !== null) return plain;
      throw misfit(dataFolder, secret);
    },
    prepare() {
      current ??= createSecret(dataFolder, randomBytes);
    },
  };
}

/**
 * The 32 bytes that stored keys are sealed with.
 * @throws CommandError `setting-invalid` */
export function keyOfGiven(secret: GivenSecret, dataFolder: string): Uint8Array {
  return sealingKey(textOfSecret(secret, dataFolder));
}

export function missing(dataFolder: string): CommandError {
  return new CommandError(
    "secret-unusable",
    `The file ${secretPath(dataFolder)} is missing, and the stored keys cannot be opened without it: put it back, or set SINETA_SECRET or SINETA_SECRET_FILE if they were sealed with that.`,
  );
}

export function misfit(dataFolder: string, secret: GivenSecret | null): CommandError {
  return new CommandError(
    "secret-unusable",
    secret === null
      ? `The file ${secretPath(dataFolder)} does not fit the stored keys: put back the one that belongs to this data folder, or set SINETA_SECRET or SINETA_SECRET_FILE if they were sealed with that.`
      : misfitOf(secret),
  );
}

function misfitOf(secret: GivenSecret): string {
  const { variable } = secret;
  const remedy =
    "text" in secret
      ? "set it to the secret that sealed them"
      : `put the secret that sealed them into ${secret.path}`;
  const isOld = variable === "SINETA_OLD_SECRET" || variable === "SINETA_OLD_SECRET_FILE";
  const changeOver = isOld ? "" : ", or change over with sineta secrets rotate";
  return `${variable} does not fit the stored keys: ${remedy}${changeOver}.`;
}

/** 32 bytes from a text that is as hard to guess as they are (HKDF, RFC 5869; no slow hash is needed for such a one). */
export function sealingKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "sineta secret v1", 32));
}
