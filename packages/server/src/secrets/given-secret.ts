import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { CommandError } from "../command-error.ts";
import { readTextFile } from "../text-file.ts";

/** A secret that the operator gives: as the text of a setting, or in a file that a setting names. */
export type GivenSecret =
  | { variable: "SINETA_SECRET" | "SINETA_OLD_SECRET"; text: string }
  | { variable: "SINETA_SECRET_FILE" | "SINETA_OLD_SECRET_FILE"; path: string };

/** The rule for a secret. `openssl rand -base64 32` prints 44 characters. */
export const secretExpected = "at least 32 random characters";

export function isLongEnough(text: string): boolean {
  return text.length >= 32;
}

/**
 * The text of a given secret. A file is read when a command needs the secret, so every other command works for users that may not
 * read it. White space around a file's text does not count: editors end a file with a newline.
 * @param dataFolder the secret's file must lie outside of it: Sineta removes its own secret there after a rotation
 * @throws CommandError `setting-invalid` if the file lies in the data folder, cannot be read, or its text is too short
 */
export function textOfSecret(secret: GivenSecret, dataFolder: string): string {
  if ("text" in secret) return secret.text;
  const { variable, path } = secret;
  const name = `The file of ${variable}`;
  if (isIn(dataFolder, path)) {
    throw new CommandError(
      "setting-invalid",
      `${name}, ${path}, lies in the data folder ${dataFolder}, where Sineta keeps a secret of its own: put it into another folder.`,
    );
  }
  const text = readTextFile({ path, name, code: "setting-invalid" }).trim();
  if (isLongEnough(text)) return text;
  throw new CommandError(
    "setting-invalid",
    `${name}, ${path}, holds ${text.length === 0 ? "nothing" : `${text.length} characters`}: expected ${secretExpected}.`,
  );
}

/** Whether a path lies in a folder, also where a link leads there. */
export function isIn(folder: string, path: string): boolean {
  return relative(realPath(folder), realPath(path)).split(sep)[0] !== "..";
}

/** The path itself if nothing is there, or if this user may not look. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
