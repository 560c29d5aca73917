/** SQLite documentation, "Result and Extended Result Codes". */
const sqliteCodes: ReadonlySet<unknown> = new Set([
  // SQLITE_FULL
  13,
  // SQLITE_IOERR_WRITE: so SQLite tells of a used-up quota and of a file that may not grow.
  778,
  // SQLITE_IOERR_SHMSIZE: so it tells of a full disk where the first thing that it has to make is the shared memory.
  4874,
]);

/** Whether a call of the store was refused because nothing more can be written: the disk is full, or a quota used up. */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && sqliteCodes.has(error.errcode);
}
