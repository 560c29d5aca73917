import type * as Hints from "./hints.ts";
import { isLoopback } from "./loopback.ts";

/**
 * Tells the developer of a page on loopback what is amiss, with `console.warn`. On any other page it does nothing:
 * the sentences are a file of their own, which such a page never loads.
 */
export function hint(tell: (hints: typeof Hints) => unknown): void {
  // A server has no `location`.
  if (!isLoopback(globalThis.location?.hostname)) return;
  // The browser names the file in its console. A page without it works all the same.
  import("./hints.ts").then(tell).catch(() => undefined);
}
