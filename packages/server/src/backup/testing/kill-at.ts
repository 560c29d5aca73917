/**
 * A command imports this first. It counts the calls that write files or run SQL. Before call number KILL_AT, or before the first SQL that
 * fits the regular expression KILL_BEFORE, it prints "reached" and sends the process KILL_SIGNAL, by default SIGKILL. Without either, it
 * writes into STEPS_FILE the numbers of the calls before which the files in the folder STEPS_OF are as never before.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";

const { readdirSync, readFileSync, statSync, writeFileSync, writeSync } = fs;
const { KILL_AT, KILL_BEFORE, KILL_SIGNAL = "SIGKILL", STEPS_OF = "", STEPS_FILE } = process.env;
const isNoting = STEPS_FILE !== undefined && KILL_AT === undefined;
let before = KILL_BEFORE === undefined ? null : new RegExp(KILL_BEFORE);
let calls = 0;
const seen = new Set<string>();
const steps: number[] = [];

function filesNow(): string {
  const hash = createHash("sha256");
  const there = fs.existsSync(STEPS_OF);
  const inside = there ? readdirSync(STEPS_OF, { recursive: true, encoding: "utf8" }) : [];
  for (const name of there ? ["", ...inside.toSorted()] : []) {
    const path = join(STEPS_OF, name);
    const file = statSync(path);
    hash.update(`${name}\0${file.mode} ${file.uid}\0`);
    if (file.isFile()) hash.update(readFileSync(path));
  }
  return `${there} ${hash.digest("hex")}`;
}

function noteStep(): void {
  const files = filesNow();
  if (seen.has(files)) return;
  seen.add(files);
  steps.push(calls);
}

type Call = (this: unknown, ...parameters: unknown[]) => unknown;

function killable(owner: object, name: string, sqlOf: Call = () => ""): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") throw new Error(`there is no ${name}`);
  Reflect.set(owner, name, function killed(this: unknown, ...parameters: unknown[]): unknown {
    calls += 1;
    if (isNoting) noteStep();
    if (calls === Number(KILL_AT) || before?.test(String(sqlOf.apply(this, parameters))) === true) {
      before = null;
      writeSync(1, "reached\n");
      process.kill(process.pid, KILL_SIGNAL);
    }
    return Reflect.apply(real, this, parameters);
  });
}

const writing = ["writeSync", "fsyncSync", "linkSync", "renameSync", "rmSync"];
for (const name of writing) killable(fs, name);
killable(DatabaseSync.prototype, "exec", (sql) => sql);
killable(StatementSync.prototype, "run", function sqlOf() {
  return this instanceof StatementSync ? this.sourceSQL : "";
});
syncBuiltinESMExports();

if (isNoting) process.once("exit", () => writeFileSync(STEPS_FILE, JSON.stringify(steps)));
