import { fchownSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Opens a file that is not there yet, for its owner alone. If root makes it, it belongs to the owner of its folder, whose server
 * goes on with it.
 * @throws the error of open(2); EEXIST also where a link is
 */
export function openNewFile(path: string): number {
  const file = openSync(path, "wx", 0o600);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(path));
    fchownSync(file, uid, gid);
  }
  return file;
}
