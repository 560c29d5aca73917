/** Whether another connection holds the lock: SQLITE_BUSY (SQLite documentation, "Result and Extended Result Codes"). */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}
