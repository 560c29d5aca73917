/** So many fit beside the other answers. */
const places = 3;

/**
 * What the page shows of what comes next: the first scheduled notices, and in the last place the newest draft, if there is one.
 * Places that no scheduled notice takes go to further drafts.
 * @param scheduled the earliest start first
 * @param drafts the newest first
 */
export function comingUp<Scheduled, Draft>(
  scheduled: readonly Scheduled[],
  drafts: readonly Draft[],
): { scheduled: Scheduled[]; drafts: Draft[] } {
  const shown = scheduled.slice(0, drafts.length === 0 ? places : places - 1);
  return { scheduled: shown, drafts: drafts.slice(0, places - shown.length) };
}
