/**
 * A command imports this first. It counts the calls that write files or run SQL, and kills the process before call number KILL_AT.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

let left = Number(process.env["KILL_AT"]);

function killable(owner: object, name: string): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") throw new Error(`there is no ${name}`);
  Reflect.set(owner, name, function killed(this: unknown, ...parameters: unknown[]): unknown {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return Reflect.apply(real, this, parameters);
  });
}

const writing = ["writeSync", "fsyncSync", "linkSync", "renameSync", "rmSync"];
for (const name of writing) killable(fs, name);
killable(DatabaseSync.prototype, "exec");
killable(StatementSync.prototype, "run");
syncBuiltinESMExports();
