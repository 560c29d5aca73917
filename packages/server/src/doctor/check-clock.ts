import type { DoctorFinding } from "@sineta/protocol";
import type { ForeignClock } from "./check-push-services.ts";
import { finding } from "./finding.ts";

/** A message goes when the server's clock says so: a minute is what an operator may notice. */
const mostMs = 60_000;

/** Compares the machine's clock with those of push services. The one in the middle decides: a single one may be wrong. */
export function checkClock(clocks: readonly ForeignClock[]): DoctorFinding {
  const sorted = clocks
    .map((clock) => ({ host: clock.host, aheadMs: aheadOf(clock) }))
    .toSorted((one, other) => one.aheadMs - other.aheadMs);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) return finding("clock-unknown");
  const seen = `${Math.round(Math.abs(middle.aheadMs) / 1000)} s`;
  if (Math.abs(middle.aheadMs) <= mostMs) return finding("clock-right", middle.host, seen);
  return finding(middle.aheadMs > 0 ? "clock-fast" : "clock-slow", middle.host, seen);
}

/** By how much this machine's clock is ahead at least. The header tells whole seconds (RFC 9110, section 5.6.7). */
function aheadOf({ atMs, askedMs, answeredMs }: ForeignClock): number {
  if (askedMs > atMs + 1000) return askedMs - (atMs + 1000);
  return answeredMs < atMs ? answeredMs - atMs : 0;
}
