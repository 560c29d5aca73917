import type { Written } from "./written.ts";

/**
 * Whether what will happen is shown once more before it does. Not for what goes to one browser at most; whoever joins
 * until a later moment gets it, too, and so does everybody who comes.
 * @param registrations that it would reach now; undefined while that is not known
 */
export function needsLook(
  { audience, when }: Pick<Written, "audience" | "when">,
  registrations: number | undefined,
): boolean {
  return when !== "now" || audience === "all" || registrations === undefined || registrations > 1;
}
