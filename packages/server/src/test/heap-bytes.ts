import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes on the heap once what nothing refers to is collected. */
export function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
