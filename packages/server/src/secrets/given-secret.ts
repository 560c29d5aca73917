import { CommandError } from "../command-error.ts";
import { readTextFile } from "../text-file.ts";

/** A secret that the operator gives: as the text of a setting, or in a file that a setting names. */
export type GivenSecret =
  | { variable: "SINETA_SECRET" | "SINETA_OLD_SECRET"; text: string }
  | { variable: "SINETA_SECRET_FILE" | "SINETA_OLD_SECRET_FILE"; path: string };

/** What a secret must be: 32 random bytes in base64 have 44 characters. */
export const secretExpected = "at least 32 characters that nobody can guess";

export function isLongEnough(text: string): boolean {
  return text.length >= 32;
}

/**
 * The text of a given secret. A file is read when a command needs the secret, so every other command works for users that may not
 * read it. White space around a file's text does not count: editors end a file with a newline.
 * @throws CommandError `setting-invalid` if the file cannot be read or its text is too short
 */
export function textOfSecret(secret: GivenSecret): string {
  if ("text" in secret) return secret.text;
  const { variable, path } = secret;
  const name = `The file of ${variable}`;
  const text = readTextFile({ path, name, code: "setting-invalid" }).trim();
  if (isLongEnough(text)) return text;
  throw new CommandError(
    "setting-invalid",
    `${name}, ${path}, holds ${text.length === 0 ? "nothing" : `${text.length} characters`}: expected ${secretExpected}.`,
  );
}
