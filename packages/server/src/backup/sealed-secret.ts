import { argon2id, type PasswordWork } from "../access/operators/passwords.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { openSealedKey, sealKey } from "../secrets/sealed-key.ts";

/** A secret under a passphrase, with what leads from the passphrase to its key. */
export type SealedSecret = PasswordWork & { salt: Uint8Array; sealed: Uint8Array };

/**
 * RFC 9106, section 4, second recommendation: 64 MiB, three passes, four lanes. More than for log-in, since a thief of a back-up may
 * guess for as long as he likes.
 */
const rfcWork: PasswordWork = { memory: 65_536, passes: 3, parallelism: 4 };
const saltBytes = 16;
const keyBytes = 32;
/** A damaged back-up must not ask for all memory: 1 GiB. */
const mostMemory = 1_048_576;
const mostPasses = 100;
const mostLanes = 64;

/** @param input.secret the 32 bytes that stored keys are sealed with */
export async function sealSecret({
  secret,
  passphrase,
  randomBytes,
  work = rfcWork,
}: {
  secret: Uint8Array;
  passphrase: string;
  randomBytes: (count: number) => Uint8Array;
  work?: PasswordWork;
}): Promise<SealedSecret> {
  const salt = randomBytes(saltBytes);
  const key = await argon2id(passphrase, { ...work, salt }, keyBytes);
  return {
    ...work,
    salt,
    sealed: sealKey(key, labelOf(fingerprintOf(secret)), secret, randomBytes),
  };
}

/**
 * @param fingerprint of the secret
 * @returns null if the passphrase is another one
 */
export async function openSecret(
  secret: SealedSecret,
  { passphrase, fingerprint }: { passphrase: string; fingerprint: string },
): Promise<Uint8Array | null> {
  const key = await argon2id(passphrase, secret, keyBytes);
  return openSealedKey(key, labelOf(fingerprint), secret.sealed);
}

/** Whether this machine can be asked to do the work. */
export function isWithinBounds({ memory, passes, parallelism, salt }: SealedSecret): boolean {
  return (
    isFrom(8 * parallelism, memory, mostMemory) &&
    isFrom(1, passes, mostPasses) &&
    isFrom(1, parallelism, mostLanes) &&
    salt.length === saltBytes
  );
}

function isFrom(least: number, value: number, most: number): boolean {
  return value >= least && value <= most;
}

function labelOf(fingerprint: string): string {
  return `backup secret v1 ${fingerprint}`;
}
