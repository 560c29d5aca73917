import { userInfo } from "node:os";
import type { Asker } from "../store/port.ts";

/** Whoever calls the command, by the name that the system knows. */
export function commandLineAsker(): Asker {
  return { actor: { kind: "command-line", name: nameOfUser() }, address: null };
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no entry.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
