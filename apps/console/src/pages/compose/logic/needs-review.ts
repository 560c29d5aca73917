import type { Written } from "./written.ts";

/**
 * Whether what will happen is shown once more before it does. Not for what goes to one browser at most; whoever joins
 * until a later moment gets it, too, and so does everybody who comes.
 * @param registrations that it would reach now; undefined while that is not known
 */
export function needsReview(
  { audience, when, replaces }: Pick<Written, "audience" | "when" | "replaces">,
  registrations: number | undefined,
): boolean {
  // To send it cancels a scheduled notice.
  if (replaces !== "") return true;
  return when !== "now" || audience === "all" || registrations === undefined || registrations > 1;
}
