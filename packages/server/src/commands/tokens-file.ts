import { resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import { readTextFile } from "../text-file.ts";

/**
 * What stands in the file of `--tokens`, a token on each line; empty lines count for nothing. A token of an exported table may have an
 * apostrophe before it (exports/csv.ts), which is left out.
 * @param folder that the path is relative to
 * @throws CommandError `usage`
 */
export function readTokensFile(path: string, folder: string): string[] {
  if (path === "") throw new CommandError("usage", '--tokens is "": expected the path of a file.');
  const name = "The file of --tokens";
  const text = readTextFile({ path: resolve(folder, path), name, code: "usage" });
  return text.split(/\r\n|\r|\n/).flatMap((line) => line.trim().replace(/^'/, "") || []);
}
