/**
 * Whether SQLite says that the database is damaged: SQLITE_CORRUPT, SQLITE_NOTADB, or SQLITE_ERROR because the file does
 * not fit the SQL (SQLite documentation, "Result and Extended Result Codes", section 3).
 */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error && "errcode" in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return (
    code === 11 ||
    code === 26 ||
    (code === 1 && /^(no such (table|column)|unsupported file format)/.test(error.message))
  );
}
