/**
 * `npm run seed -- FOLDER [--registrations 1000000] [--messages 1000]`: fills a data folder as a year would, for looking at the
 * console and for measuring. The figures that triggers keep are counted again at the end: it fails where they differ.
 */
import { createECDH, randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { openDataFolder } from "../packages/server/src/data-folder.ts";
import { openDefaultProject } from "../packages/server/src/projects/open.ts";
import { openDatabase } from "../packages/server/src/store/sqlite/connection.ts";
import { seedMessages } from "./seed/messages.ts";
import { recount, recountMessages } from "./seed/recount.ts";
import { removeOld, seedRegistrations } from "./seed/registrations.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    registrations: { type: "string", default: "1000000" },
    messages: { type: "string", default: "1000" },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("Name the data folder: npm run seed -- FOLDER");
const dataFolder = resolve(folder);
const nowMs = Date.now();

const store = await openDataFolder(dataFolder, nowMs);
const project = await openDefaultProject({ store, dataFolder, randomBytes, nowMs });
const isEmpty = (await store.audience.now(project.id)).live === 0;
await store.close();
if (!isEmpty) throw new Error("There are registrations already: name another folder.");

const database = openDatabase(join(dataFolder, "sineta.db"));
// What is lost with a machine that stops meanwhile is made again.
database.exec("pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory");
try {
  const into = {
    database,
    projectId: project.id,
    vapidKeyId: project.keys.current.id,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    nowMs,
  };
  step("registrations", () => seedRegistrations(into, Number(values.registrations)));
  const differences: string[] = [];
  step("recount", () => differences.push(...recount(database)));
  step("retention", () => removeOld(into));
  step("messages", () => seedMessages(into, Number(values.messages)));
  step("recount", () => differences.push(...recountMessages(database)));
  step("analyze", () => database.exec("analyze"));
  for (const each of differences) console.error(`counted again it differs: ${each}`);
  if (differences.length > 0) process.exitCode = 1;
  console.log(sums(database));
} finally {
  database.close();
}

function step(name: string, run: () => unknown): void {
  const startedMs = performance.now();
  run();
  console.log(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

function sums(of: DatabaseSync): string {
  const row = of
    .prepare(
      `select (select sum(live_registrations) from projects) as live,
        (select count(*) from registrations) as registrations, (select count(*) from messages) as messages,
        (select count(*) from message_exceptions) as exceptions, (select count(*) from receipts) as receipts`,
    )
    .get();
  return JSON.stringify(row);
}
