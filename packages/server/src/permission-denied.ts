import { readlinkSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

/**
 * Why this user may not use a file or a folder, and what to do.
 * @param remedyAt what to do about a path that another user owns
 * @returns a path, and what follows it in a sentence. The path is the one given, or the folder that hides it or that this user may
 *   make nothing in
 */
export function permissionDenied(
  path: string,
  remedyAt: (path: string) => string,
): { path: string; why: string } {
  const uid = ownerOf(path);
  if (uid === null) return permissionDenied(targetOf(path) ?? dirname(path), remedyAt);
  if (uid === process.geteuid?.()) {
    return { path, why: "does not let its owner in (permission denied): run chmod u+rwX on it" };
  }
  const other = `belongs to another user, the one with the uid ${uid} (permission denied)`;
  return { path, why: `${other}: ${remedyAt(path)}` };
}

/** Whether this user owns what is at the path, as far as this user may know. */
export function isOwn(path: string): boolean {
  return ownerOf(path) === process.geteuid?.();
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return path === sep ? 0 : null;
  }
}

/** Of a link, which may lead into a folder that hides it. */
function targetOf(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}
