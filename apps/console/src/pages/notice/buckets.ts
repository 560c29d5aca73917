import type { ReceiptsOverTime } from "@sineta/protocol";

export type Hour = ReceiptsOverTime["hours"][number];
/** What was counted from `atMs` on, for an hour or a day. */
export type Bucket = Omit<Hour, "at"> & { atMs: number };
export type Buckets = { size: "hour" | "day"; buckets: Bucket[] };

/** So many hours can be told apart in a chart. */
const mostHours = 72;
const hourMs = 3_600_000;

/**
 * What a chart shows: every hour, also those without anything, or where that were too many, every day of this browser's
 * time zone.
 */
export function bucketsOf(hours: readonly Hour[]): Buckets {
  const times = hours.map(({ at }) => Date.parse(at));
  const [firstMs, lastMs] = [times[0], times.at(-1)];
  if (firstMs === undefined || lastMs === undefined) return { size: "hour", buckets: [] };
  const size = (lastMs - firstMs) / hourMs < mostHours ? "hour" : "day";
  const buckets = new Map<number, Bucket>();
  const end = startOf(lastMs, size);
  for (let atMs = startOf(firstMs, size); atMs <= end; atMs = startAfter(atMs, size)) {
    buckets.set(atMs, { atMs, accepted: 0, displayed: 0, clicked: 0, closed: 0 });
  }
  for (const hour of hours) {
    const bucket = buckets.get(startOf(Date.parse(hour.at), size));
    if (bucket === undefined) continue;
    bucket.accepted += hour.accepted;
    bucket.displayed += hour.displayed;
    bucket.clicked += hour.clicked;
    bucket.closed += hour.closed;
  }
  return { size, buckets: [...buckets.values()] };
}

function startOf(timeMs: number, size: Buckets["size"]): number {
  return size === "hour" ? timeMs : new Date(timeMs).setHours(0, 0, 0, 0);
}

/** A day may have 23 or 25 hours. */
function startAfter(timeMs: number, size: Buckets["size"]): number {
  if (size === "hour") return timeMs + hourMs;
  const day = new Date(timeMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
}

/** What was counted until `untilMs`. */
export type Total = Bucket & {
  untilMs: number;
  /** Whether more may still be counted in it. */
  isOpen: boolean;
};

/** Adds the buckets up, each to the ones before it. The last one ends now if its hour or day is not over. */
export function runningTotals({ size, buckets }: Buckets, nowMs: number): Total[] {
  let sum = { accepted: 0, displayed: 0, clicked: 0, closed: 0 };
  return buckets.map(({ atMs, accepted, displayed, clicked, closed }, index) => {
    sum = {
      accepted: sum.accepted + accepted,
      displayed: sum.displayed + displayed,
      clicked: sum.clicked + clicked,
      closed: sum.closed + closed,
    };
    const endMs = startAfter(atMs, size);
    const isOpen = index === buckets.length - 1 && endMs > nowMs;
    // This browser's clock may be behind the server's.
    return { ...sum, atMs, isOpen, untilMs: isOpen ? Math.max(atMs, nowMs) : endMs };
  });
}
