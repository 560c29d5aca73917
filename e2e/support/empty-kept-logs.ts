import { emptyKeptLogs, keepLogsOfThisRun } from "./kept-logs.ts";

/** Before a run: what an earlier one has left is not this one's. */
// oxlint-disable-next-line import/no-default-export -- Playwright's global set-up is one.
export default function beforeAll(): void {
  emptyKeptLogs();
  keepLogsOfThisRun();
}
