/** A folder of back-ups whose names tell their time. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BackupPlace } from "./backup-file.ts";

const ownName = /^sineta-\d{8}T\d{6}Z\.db$/;

/** The place of a back-up of this moment. All in the folder share one `part`, so that nothing piles up after kills. */
export function placeIn(folder: string, nowMs: number): BackupPlace {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return { file: join(folder, `sineta-${time}.db`), part: join(folder, "sineta.db.part") };
}

/**
 * Removes the oldest back-ups, by their names, and no other file.
 * @param newest stays, also where the clock was put back and its name is the first
 * @param keep how many stay, with the newest
 * @returns the paths of those that are removed
 */
export function removeOldest(folder: string, newest: string, keep: number): string[] {
  const older = readdirSync(folder)
    .filter((name) => ownName.test(name))
    .map((name) => join(folder, name))
    .filter((path) => path !== newest)
    .toSorted();
  const removed = older.slice(0, Math.max(0, older.length + 1 - keep));
  for (const path of removed) rmSync(path);
  return removed;
}
