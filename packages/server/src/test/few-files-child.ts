/**
 * Opens the database in a data folder where few files can be opened: few-files-child.ts <folder> <most>. Prints as JSON what that said
 * with none free, with one free, and so on up to `most`; null where it succeeded. To be run with a limit on open files.
 */
import { closeSync, openSync } from "node:fs";
import { openPresentDataFolder } from "../data-folder.ts";

const [folder = "", most = ""] = process.argv.slice(2);

async function open(): Promise<string | null> {
  try {
    await (await openPresentDataFolder(folder, 1)).close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// Loads what is loaded late.
await open();
const opened: number[] = [];
const said: (string | null)[] = [];
for (let free = 0; free <= Number(most); free += 1) {
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch {
    for (const each of opened.splice(opened.length - free)) closeSync(each);
  }
  said.push(await open());
}
for (const each of opened) closeSync(each);
console.log(JSON.stringify(said));
