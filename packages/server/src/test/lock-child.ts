/** Holds the lock of a data folder until it is killed: lock-child.ts <data folder> */
import { takeServeLock } from "../serve-lock.ts";

const release = takeServeLock(process.argv[2] ?? "");
console.log("held");
// Without a reference the database would be collected, and its lock let go.
setInterval(() => release, 60_000);
