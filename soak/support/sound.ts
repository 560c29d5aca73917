import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";

/** Expects that the database in a data folder is whole. A server may run on it. */
export function expectSound(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"));
  try {
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  } finally {
    database.close();
  }
}
