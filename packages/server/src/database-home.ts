import { statSync } from "node:fs";
import type { DatabaseHome } from "./store/port.ts";

/**
 * Where the database's file is on its file system.
 * @returns null where the file system keeps no birth time (Node gives 0): there a copy cannot be told
 */
export function homeOf(databaseFile: string): DatabaseHome | null {
  const { ino, birthtimeNs } = statSync(databaseFile, { bigint: true });
  return birthtimeNs === 0n ? null : { inode: String(ino), bornNs: String(birthtimeNs) };
}
