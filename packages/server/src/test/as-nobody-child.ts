/**
 * Uses each data folder as another user than root: as-nobody-child.ts <open | serve | lock> <folders...>. Prints what it is
 * told, a line of JSON for each folder.
 */
import { dataError } from "../data-errors.ts";
import { openDataFolder, openPresentDataFolder } from "../data-folder.ts";
import { takeServeLock } from "../serve-lock.ts";

const ways: Record<string, (folder: string) => Promise<void>> = {
  open: async (folder) => (await openPresentDataFolder(folder, 0)).close(),
  serve: async (folder) => (await openDataFolder(folder, 0)).close(),
  lock: async (folder) => takeServeLock(folder)(),
};
const [way = "", ...folders] = process.argv.slice(2);

const nobodyId = 65_534;
process.setgroups?.([]);
process.setgid?.(nobodyId);
process.setuid?.(nobodyId);

for (const folder of folders) {
  const told = await ways[way]?.(folder).then(
    () => "",
    (error: unknown) => dataError(folder, error)?.message ?? String(error),
  );
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
