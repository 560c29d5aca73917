import type { Sample } from "./broadcast.ts";

/**
 * By how many bytes resident memory grew with each registration, from a tenth of a broadcast to its end: the slope of the straight
 * line through the samples (least squares). What grows before is what any server needs that sends at all.
 */
export function growthOf(samples: readonly Sample[], size: number): number {
  const late = samples.filter(({ accepted }) => accepted >= size / 10);
  const mean = (of: (sample: Sample) => number) =>
    late.reduce((sum, sample) => sum + of(sample), 0) / late.length;
  const middle = { accepted: mean((each) => each.accepted), mb: mean((each) => each.residentMb) };
  let products = 0;
  let squares = 0;
  for (const { accepted, residentMb } of late) {
    products += (accepted - middle.accepted) * (residentMb - middle.mb);
    squares += (accepted - middle.accepted) ** 2;
  }
  return (products / squares) * 1024 * 1024;
}
