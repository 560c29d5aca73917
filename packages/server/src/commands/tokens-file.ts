import { resolve } from "node:path";
import { readTextFile } from "../text-file.ts";

/**
 * What stands in the file of `--tokens`, a token on each line; empty lines count for nothing.
 * @param folder that the path is relative to
 * @throws CommandError `usage`
 */
export function readTokensFile(path: string, folder: string): string[] {
  const name = "The file of --tokens";
  const text = readTextFile({ path: resolve(folder, path), name, code: "usage" });
  return text.split("\n").flatMap((line) => line.trim() || []);
}
