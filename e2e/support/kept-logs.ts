/** What the servers of a whole run logged, and what they kept that no log may hold: for the search at its end. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { openDataFolder } from "../../packages/server/src/data-folder.ts";
import { labelOf } from "../../packages/server/src/secrets/labels.ts";
import { openVault } from "../../packages/server/src/secrets/vault.ts";

const keptLogsFolder = fileURLToPath(
  new URL("../../node_modules/.cache/e2e-logs", import.meta.url),
);

/** One server's. */
export type KeptLog = {
  name: string;
  /** All that it wrote to stderr, and the lines of its audit. */
  log: string;
  audit: string;
  /** By what they are. */
  secrets: Record<string, string[]>;
};

const variable = "KEEP_SERVER_LOGS";

/** From now on, in processes that are started later, too. */
export function keepLogsOfThisRun(): void {
  process.env[variable] = "yes";
}

export function keepsLogs(): boolean {
  return process.env[variable] === "yes";
}

export type LogKeeper = {
  write: (text: string) => void;
  /** To be called when the server has ended, and its data folder is still there. */
  finish: (dataFolder: string) => Promise<void>;
};

export function keepLog(): LogKeeper {
  const name = join(keptLogsFolder, randomUUID());
  return {
    write: (text) => appendFileSync(`${name}.log`, text),
    async finish(dataFolder) {
      writeFileSync(
        `${name}.json`,
        JSON.stringify({ secrets: await secretsIn(dataFolder), audit: auditIn(dataFolder) }),
      );
    },
  };
}

export function emptyKeptLogs(): void {
  rmSync(keptLogsFolder, { recursive: true, force: true });
  mkdirSync(keptLogsFolder, { recursive: true });
}

export function keptLogs(): KeptLog[] {
  return readdirSync(keptLogsFolder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const path = join(keptLogsFolder, file);
      const { secrets, audit }: Pick<KeptLog, "secrets" | "audit"> = JSON.parse(
        readFileSync(path, "utf8"),
      );
      const log = path.replace(/json$/, "log");
      return { name: file, secrets, audit, log: existsSync(log) ? readFileSync(log, "utf8") : "" };
    });
}

async function secretsIn(dataFolder: string): Promise<KeptLog["secrets"]> {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
  const column = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .flatMap((row) => Object.values(row))
      .flatMap((value) => (typeof value === "string" && value !== "" ? [value] : []));
  const kept = {
    endpoints: column("select endpoint from registrations").map(
      (endpoint) => new URL(endpoint).pathname,
    ),
    keys: column("select p256dh, auth from registrations"),
    tokens: column("select token from registrations"),
    passwords: column("select password_hash from operators"),
  };
  database.close();
  return { ...kept, ...(await sealedIn(dataFolder)) };
}

/** In every way in which bytes are written. */
async function sealedIn(dataFolder: string): Promise<KeptLog["secrets"]> {
  const file = join(dataFolder, "secret");
  if (!existsSync(file)) return { sealed: [] };
  const vault = openVault({ dataFolder, randomBytes });
  const store = await openDataFolder(dataFolder, Date.now());
  try {
    const sealed = (await store.sealed.all()).flatMap((one) => {
      const plain = Buffer.from(vault.open(labelOf(one.place), one.sealed));
      return (["base64url", "base64", "hex"] as const).map((encoding) => plain.toString(encoding));
    });
    return { sealed, file: [readFileSync(file, "utf8").trim()] };
  } finally {
    await store.close();
  }
}

function auditIn(dataFolder: string): string {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
  const rows = database.prepare("select * from audit").all();
  database.close();
  return JSON.stringify(rows);
}
