import { statSync } from "node:fs";

/**
 * When the file system made the database's file: nanoseconds since 1970. A copy is a new file, and no program can set the time.
 * @returns null where that is not known: there a copy cannot be told
 */
export function birthTimeOf(databaseFile: string): string | null {
  const bornNs = read(databaseFile);
  return bornNs === undefined || bornNs === 0n || isMadeUp() ? null : String(bornNs);
}

/** Node gives 0 where the file system keeps no birth time. */
function read(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.birthtimeNs;
}

/**
 * Where the kernel refuses the system call statx, libuv gives the time of the last change instead. It does so of a file in /proc, too,
 * which has no birth time.
 */
function isMadeUp(): boolean {
  return (read("/proc/self/status") ?? 0n) !== 0n;
}
