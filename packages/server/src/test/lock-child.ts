/** Holds the lock of a data folder until it is killed: lock-child.ts <data folder> */
import { takeServeLock } from "../serve-lock.ts";

takeServeLock(process.argv[2] ?? "");
console.log("held");
setInterval(() => undefined, 60_000);
