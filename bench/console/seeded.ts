import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { adoptCopy } from "../../packages/server/src/test/copied-data.ts";

const sizes = ["--registrations", "1000000", "--messages", "1000"];

let made: string | undefined;

/**
 * Copies a data folder that a year has filled and that has no operator yet: the one that SINETA_SEEDED names (`npm run seed`), else one
 * of a million registrations, which takes minutes to make, once for all benches of a run. What is done with the copy leaves it alone.
 * @returns what is in it, to be said beside the figures
 */
export function copySeeded(dataFolder: string): string {
  cpSync(process.env["SINETA_SEEDED"] ?? seededOnce(), dataFolder, { recursive: true });
  adoptCopy(dataFolder);
  const database = open(dataFolder);
  const counts = database
    .prepare(
      `select (select sum(live_registrations) from projects) as live, (select count(*) from registrations) as registrations,
        (select count(*) from messages) as messages, (select count(*) from operators) as operators`,
    )
    .get();
  database.close();
  const figure = (name: string) => Number(counts?.[name]).toLocaleString("en");
  if (figure("operators") !== "0") throw new Error("SINETA_SEEDED has an operator: seed a new one");
  return `${figure("live")} live registrations of ${figure("registrations")}, ${figure("messages")} messages`;
}

function seededOnce(): string {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), "sineta-seeded-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const script = fileURLToPath(new URL("../seed.ts", import.meta.url));
  const { status } = spawnSync(process.execPath, [script, folder, ...sizes], { stdio: "inherit" });
  if (status !== 0) throw new Error("the data folder could not be filled");
  made = folder;
  return folder;
}

/** Hosts of the push services of its registrations. */
export function pushHostsOf(dataFolder: string): string[] {
  const database = open(dataFolder);
  const rows = database
    .prepare("select distinct value from audience_live where kind = 'push-origin' and live > 0")
    .all();
  database.close();
  return rows.map((row) => new URL(String(row["value"])).hostname);
}

function open(dataFolder: string): DatabaseSync {
  return new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
}
