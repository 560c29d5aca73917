/** Preloaded into a server: its clock is off by as many milliseconds as the file named by CLOCK_FILE says. */
import { readFileSync } from "node:fs";

const file = process.env["CLOCK_FILE"] ?? "";
const lookEveryMs = 20;
const realNow = Date.now;
let shiftMs = 0;

function look(): void {
  shiftMs = Number(readFileSync(file, "utf8"));
}

look();
setInterval(look, lookEveryMs).unref();
Date.now = () => realNow() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now()] : given, newTarget),
});
