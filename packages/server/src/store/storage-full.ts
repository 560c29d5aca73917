/** SQLite documentation, "Result and Extended Result Codes". */
const sqliteCodes: ReadonlySet<unknown> = new Set([
  // SQLITE_FULL
  13,
  // SQLITE_IOERR_WRITE: so SQLite tells of a used-up quota and of a file that may not grow.
  778,
  // SQLITE_IOERR_SHMSIZE: so it tells of a full disk where the first thing that it has to make is the shared memory.
  4874,
]);

/** What the operating system says of a full disk, of a used-up quota and of a file that may not grow. */
const systemCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether the store or a file was refused because nothing more can be written: the disk is full, or a quota used up. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ("errcode" in error && sqliteCodes.has(error.errcode)) ||
    ("code" in error && systemCodes.has(error.code))
  );
}
