/**
 * Whether SQLite says that the database is damaged: SQLITE_ERROR (SQL that does not fit the tables), SQLITE_CORRUPT and
 * SQLITE_NOTADB (SQLite documentation, "Result and Extended Result Codes", section 3).
 */
export function isDamaged(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    [1, 11, 26].includes(Number(error.errcode) & 0xff)
  );
}
