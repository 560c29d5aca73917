/**
 * A command imports this first. It counts the calls that write files or run SQL, and kills the process before call number KILL_AT. Without
 * KILL_AT, it writes into STEPS_FILE the numbers of the calls before which the files in the folder STEPS_OF are as never before.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";

const { readdirSync, readFileSync, writeFileSync } = fs;
const { KILL_AT, STEPS_OF = "", STEPS_FILE = "" } = process.env;
let calls = 0;
const seen = new Set<string>();
const steps: number[] = [];

function filesNow(): string {
  const hash = createHash("sha256");
  const there = fs.existsSync(STEPS_OF);
  for (const name of there ? readdirSync(STEPS_OF).toSorted() : []) {
    hash.update(`${name}\0`).update(readFileSync(join(STEPS_OF, name)));
  }
  return `${there} ${hash.digest("hex")}`;
}

function noteStep(): void {
  const files = filesNow();
  if (seen.has(files)) return;
  seen.add(files);
  steps.push(calls);
}

function killable(owner: object, name: string): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") throw new Error(`there is no ${name}`);
  Reflect.set(owner, name, function killed(this: unknown, ...parameters: unknown[]): unknown {
    calls += 1;
    if (KILL_AT === undefined) noteStep();
    else if (calls === Number(KILL_AT)) process.kill(process.pid, "SIGKILL");
    return Reflect.apply(real, this, parameters);
  });
}

const writing = ["writeSync", "fsyncSync", "linkSync", "renameSync", "rmSync"];
for (const name of writing) killable(fs, name);
killable(DatabaseSync.prototype, "exec");
killable(StatementSync.prototype, "run");
syncBuiltinESMExports();

if (KILL_AT === undefined) {
  process.once("exit", () => writeFileSync(STEPS_FILE, JSON.stringify(steps)));
}
