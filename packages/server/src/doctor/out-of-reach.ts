import { codeOf } from "./ask.ts";

const outOfReach: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM"]);

/** Turns the error of a file or folder that is missing or closed to this user into null. @throws any other error */
export function noneIfOutOfReach(error: unknown): null {
  if (outOfReach.has(codeOf(error))) return null;
  throw error;
}
