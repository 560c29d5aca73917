import type { DatabaseSync } from "node:sqlite";

/** Looks at each page, and at what the tables say of each other. @returns what is wrong; null if all is sound */
export function faultOf(database: DatabaseSync): string | null {
  const found = database.prepare("pragma integrity_check(1)").get()?.["integrity_check"];
  if (found !== "ok") return String(found);
  const foreign = database.prepare("pragma foreign_key_check").get();
  if (foreign === undefined) return null;
  return "a row refers to another one that is not there";
}
