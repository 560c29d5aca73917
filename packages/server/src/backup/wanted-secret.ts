import { existsSync } from "node:fs";
import { CommandError } from "../command-error.ts";
import type { Terminal } from "../commands/command.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { textOfSecret, type GivenSecret } from "../secrets/given-secret.ts";
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
export async function findWantedSecret(parts: {
  label: Label;
  dataFolder: string;
  secret: GivenSecret | null;
  /** SINETA_BACKUP_PASSPHRASE; null if it is not set. */
  given: string | null;
  terminal: Pick<Terminal, "askHidden" | "err">;
}): Promise<WantedSecret> {
  const { dataFolder, secret, given, terminal } = parts;
  const { secretFingerprint: fingerprint, sealedSecret: sealed } = parts.label;
  const file = secretPath(dataFolder);
  if (existsSync(file)) demandSame(readSecret(dataFolder), file, fingerprint, "move it away");
  if (secret !== null) {
    const { variable } = secret;
    demandSame(keyOfGiven(secret, dataFolder), variable, fingerprint, remedyOf(parts, secret));
    return { kind: "there", where: variable };
  }
  if (existsSync(file)) return { kind: "there", where: file };
  if (sealed === null) {
    throw unusable(
      `The keys of the back-up open with the secret whose fingerprint is ${fingerprint}, which is not in it: put its copy at ${file}, or set SINETA_SECRET or SINETA_SECRET_FILE. ` +
        "Without it all visitors have to subscribe again.",
    );
  }
  const opened = await withPassphrase({ given, terminal }, (passphrase) =>
    openSecret(sealed, { passphrase, fingerprint }),
  );
  return { kind: "sealed", secret: opened };
}

/** What to do where a setting holds another secret. */
function remedyOf(
  { label, dataFolder }: { label: Label; dataFolder: string },
  secret: GivenSecret,
): string {
  const { variable } = secret;
  const asFile = Buffer.from(textOfSecret(secret, dataFolder), "base64url");
  if (asFile.length === 32 && fingerprintOf(asFile) === label.secretFingerprint) {
    return `its text is that of the file "secret" of a data folder, so put it at ${secretPath(dataFolder)} and leave ${variable} out`;
  }
  const remedy = `give the secret with that fingerprint in ${variable}`;
  return label.sealedSecret === null
    ? remedy
    : `${remedy}, or leave ${variable} out, because the right one is in the back-up: restore, then put ${variable} back and call sineta secrets rotate`;
}

function demandSame(
  key: Uint8Array | null,
  name: string,
  fingerprint: string,
  remedy: string,
): void {
  const found = key === null ? "no secret" : `the secret with ${fingerprintOf(key)}`;
  if (key !== null && fingerprintOf(key) === fingerprint) return;
  throw unusable(
    `The keys of the back-up open with the secret whose fingerprint is ${fingerprint}, but ${name} is ${found}: ${remedy}.`,
  );
}

function unusable(sentence: string): CommandError {
  return new CommandError("secret-unusable", sentence);
}
