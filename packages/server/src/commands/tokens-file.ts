import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "../command-error.ts";

/**
 * What stands in the file of `--tokens`, a token on each line; empty lines count for nothing.
 * @param folder that the path is relative to
 * @throws CommandError `usage`
 */
export function readTokensFile(path: string, folder: string): string[] {
  let text: string;
  try {
    text = readFileSync(resolve(folder, path), "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError("usage", `The file of --tokens cannot be read (${why}).`);
  }
  return text.split("\n").flatMap((line) => line.trim() || []);
}
