import { statSync } from "node:fs";

/**
 * When the file system made the database's file: nanoseconds since 1970. A copy is a new file, and no program can set the time.
 * @returns null where the file system keeps no birth time (Node gives 0): there a copy cannot be told
 */
export function birthTimeOf(databaseFile: string): string | null {
  const { birthtimeNs } = statSync(databaseFile, { bigint: true });
  return birthtimeNs === 0n ? null : String(birthtimeNs);
}
