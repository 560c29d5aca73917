import { limits } from "@sineta/protocol";
import { commonPasswords } from "../access/operators/common-passwords.ts";
import { refusalOfPassword } from "../access/operators/password-rules.ts";
import { CommandError } from "../command-error.ts";
import type { Terminal } from "../commands/command.ts";

type Asked = {
  /** SINETA_BACKUP_PASSPHRASE; null if it is not set. */
  given: string | null;
  terminal: Pick<Terminal, "askHidden" | "err">;
};

const attempts = 3;

/**
 * The passphrase that seals the secret of a new back-up.
 * @throws CommandError `passphrase-unusable`
 */
export async function newPassphrase({ given, terminal }: Asked): Promise<string> {
  if (given !== null) {
    await demandStrong(given, "SINETA_BACKUP_PASSPHRASE");
    return given;
  }
  const first = await terminal.askHidden("A passphrase for the secret in the back-up: ");
  if (first === null) throw missing();
  await demandStrong(first, "The passphrase");
  const second = await terminal.askHidden("The passphrase again: ");
  if (first === second) return first;
  throw unusable("The two passphrases differ, so no back-up was made: call the command again.");
}

/**
 * Tries the passphrase of a back-up: the one of the setting once, else what the terminal answers, three times.
 * @param open gives null if the passphrase is another one
 * @throws CommandError `passphrase-unusable`
 */
export async function withPassphrase<Opened>(
  { given, terminal }: Asked,
  open: (passphrase: string) => Promise<Opened | null>,
): Promise<Opened> {
  if (given !== null) {
    const opened = await open(given);
    if (opened !== null) return opened;
    throw unusable("SINETA_BACKUP_PASSPHRASE is not the passphrase of this back-up: set it right.");
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const passphrase = await terminal.askHidden("The passphrase of the back-up: ");
    if (passphrase === null) throw missing();
    const opened = await open(passphrase);
    if (opened !== null) return opened;
    terminal.err("That is not the passphrase of this back-up.\n");
  }
  throw unusable(`The passphrase was wrong ${attempts} times: look for the right one.`);
}

async function demandStrong(passphrase: string, name: string): Promise<void> {
  const refusal = refusalOfPassword(passphrase, "", await commonPasswords());
  if (refusal === null) return;
  throw unusable(`${name} cannot be taken: ${whyRefused[refusal]}.`);
}

const { least, most } = limits.passwordCharacters;
const whyRefused = {
  "password-short": `expected at least ${least} characters`,
  "password-long": `expected at most ${most} characters`,
  "password-common": "attackers try it first, so choose another",
  "password-like-email": "it is like an e-mail address, so choose another",
};

function missing(): CommandError {
  return unusable(
    "The secret in the back-up has a passphrase: call the command at a terminal, or set SINETA_BACKUP_PASSPHRASE.",
  );
}

function unusable(sentence: string): CommandError {
  return new CommandError("passphrase-unusable", sentence);
}
