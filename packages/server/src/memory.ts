import { setFlagsFromString } from "node:v8";

/** Keeps the memory of a server small, whatever it sends; called once, before any thread is started. */
export function keepMemorySmall(): void {
  // V8 would let the young generation of this thread grow to 64 MB, all of which would be memory of the process.
  setFlagsFromString("--semi-space-growth-factor=1");
  // Nor would that of any thread grow now: it begins with what its thread may have (its `resourceLimits`), up to this.
  setFlagsFromString("--min-semi-space-size=8");
  // What is garbage as soon as a page has been sent has outlived the small collections by then. Left to itself, V8 looks for it
  // when the heap has grown to four times what is alive.
  setFlagsFromString("--heap-growing-percent=40");
}
