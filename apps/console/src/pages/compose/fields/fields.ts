import type { Written } from "../logic/written.ts";

/** What every part of the form works on. */
export type Fields = {
  written: Written;
  change: (part: Partial<Written>) => void;
  /** What is wrong with a field, in words, by its path in the request; undefined if nothing is. */
  flaw: (path: string) => string | undefined;
};

/** Gives a field the direction in which the notification shows its words. */
export function directedAs({ carried }: Written): { input: { dir: "auto" | "ltr" | "rtl" } } {
  return { input: { dir: carried.notification.dir ?? "auto" } };
}
