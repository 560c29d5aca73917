import { start } from "./0001-start.ts";
import { receipts } from "./0002-receipts.ts";
import { batches } from "./0003-batches.ts";
import { access } from "./0004-access.ts";

export type Migration = { name: string; sql: string };

/** In the order in which they run. A migration that was published is never changed: add another one. */
export const migrations: readonly Migration[] = [
  { name: "0001-start", sql: start },
  { name: "0002-receipts", sql: receipts },
  { name: "0003-batches", sql: batches },
  { name: "0004-access", sql: access },
];
