import { randomBytes } from "node:crypto";
import { openDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";

/** A data folder as a server leaves it behind that nobody has used. */
export async function makeData(dataFolder: string): Promise<void> {
  const nowMs = Date.now();
  const store = await openDataFolder(dataFolder, nowMs);
  await openDefaultProject({ store, dataFolder, randomBytes, nowMs });
  await store.close();
}
