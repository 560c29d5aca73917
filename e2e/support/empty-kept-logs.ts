import { emptyKeptLogs, keepLogsOfThisRun, keepsLogs } from "./kept-logs.ts";

/** Empties the folder of logs before a run, unless the run reads what an earlier one has left. */
// oxlint-disable-next-line import/no-default-export -- Playwright's global set-up is one.
export default function beforeAll(): void {
  if (keepsLogs()) return;
  emptyKeptLogs();
  keepLogsOfThisRun();
}
