import type { CommandError } from "../command-error.ts";
import type { SealedStore } from "../store/port.ts";
import { labelOf } from "./labels.ts";
import { openSealedKey } from "./sealed-key.ts";
import { readNextSecret, readSecret } from "./secret-file.ts";
import { keyOfGiven, misfit, missing, type VaultParts } from "./vault.ts";

export type SecretPlace = Omit<VaultParts, "randomBytes">;
type Sealed = Awaited<ReturnType<SealedStore["all"]>>;

/**
 * The keys of the secrets that may open what is stored: the current one, and the next one of a rotation that runs or was killed.
 * Changes no file.
 * @throws CommandError `setting-invalid`, `secret-unusable` if a secret cannot be read
 */
export function possibleKeys({ dataFolder, secret = null }: SecretPlace): Uint8Array[] {
  if (secret !== null) return [keyOfGiven(secret, dataFolder)];
  // A rotation renames the next one to the current one: in the other order both could be missed.
  const next = readNextSecret(dataFolder);
  return [readSecret(dataFolder), next].filter((key) => key !== null);
}

/** The first key that opens all of it; null if none does. */
export function fittingKey(keys: readonly Uint8Array[], all: Sealed): Uint8Array | null {
  const opensAll = (key: Uint8Array) =>
    all.every(({ place, sealed }) => openSealedKey(key, labelOf(place), sealed) !== null);
  return keys.find(opensAll) ?? null;
}

/** The error where no key fits. */
export function noFittingKey(keys: readonly Uint8Array[], place: SecretPlace): CommandError {
  const { dataFolder, secret = null } = place;
  return keys.length === 0 ? missing(dataFolder) : misfit(dataFolder, secret);
}
