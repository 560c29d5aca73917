import { existsSync } from "node:fs";
import { CommandError } from "../command-error.ts";
import type { Terminal } from "../commands/command.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import type { GivenSecret } from "../secrets/given-secret.ts";
import { readSecret, secretPath } from "../secrets/secret-file.ts";
import { keyOfGiven } from "../secrets/vault.ts";
import type { Label } from "./label.ts";
import { withPassphrase } from "./passphrase.ts";
import { openSecret } from "./sealed-secret.ts";

/** Where the server will find the secret that opens the keys of a back-up. */
export type WantedSecret =
  /** It is set or in the data folder already; `where` names it. */
  | { kind: "there"; where: string }
  /** It comes out of the back-up. */
  | { kind: "sealed"; secret: Uint8Array };

/**
 * Finds the secret that opens the keys of a back-up. Writes nothing.
 * @throws CommandError `secret-unusable` if there is none or another one, `passphrase-unusable`, `setting-invalid`
 */
export async function findWantedSecret({
  label: { secretFingerprint: fingerprint, sealedSecret: sealed },
  dataFolder,
  secret,
  given,
  terminal,
}: {
  label: Label;
  dataFolder: string;
  secret: GivenSecret | null;
  /** SINETA_BACKUP_PASSPHRASE; null if it is not set. */
  given: string | null;
  terminal: Pick<Terminal, "askHidden" | "err">;
}): Promise<WantedSecret> {
  const file = secretPath(dataFolder);
  if (existsSync(file)) demandSame(readSecret(dataFolder), file, fingerprint, "move it away");
  if (secret !== null) {
    const { variable } = secret;
    const other = sealed === null ? "" : ", or leave it out: the right one is in the back-up";
    const remedy = `set it to the secret ${fingerprint}${other}`;
    demandSame(keyOfGiven(secret, dataFolder), variable, fingerprint, remedy);
    return { kind: "there", where: variable };
  }
  if (existsSync(file)) return { kind: "there", where: file };
  if (sealed === null) {
    throw unusable(
      `The keys of the back-up open with the secret ${fingerprint}, which is not in it: put its copy at ${file}, or set SINETA_SECRET or SINETA_SECRET_FILE. ` +
        "Without it all visitors have to subscribe again.",
    );
  }
  const opened = await withPassphrase({ given, terminal }, (passphrase) =>
    openSecret(sealed, { passphrase, fingerprint }),
  );
  return { kind: "sealed", secret: opened };
}

function demandSame(
  key: Uint8Array | null,
  name: string,
  fingerprint: string,
  remedy: string,
): void {
  const found = key === null ? "no secret" : `the secret ${fingerprintOf(key)}`;
  if (key !== null && fingerprintOf(key) === fingerprint) return;
  throw unusable(
    `The keys of the back-up open with the secret ${fingerprint}, but ${name} is ${found}: ${remedy}.`,
  );
}

function unusable(sentence: string): CommandError {
  return new CommandError("secret-unusable", sentence);
}
