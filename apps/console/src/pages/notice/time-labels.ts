import { evenTicks } from "../../charts/even-ticks.ts";
import type { Buckets, Total } from "./buckets.ts";

/** Where a label stands: at the left edge of column `index`, where `totals.length` is the right edge of the last column. */
export type Edge = { index: number; atMs: number };

/** Which part of a moment a label says. */
export type Labels = { part: "time" | "day"; edges: Edge[] };

const most = 4;
/** Closer to an end, as a share of the width, a label would touch the label there. */
const nearEnd = 0.28;

/** Up to so many hours the time is enough, also across midnight. */
const mostHours = 24;

/**
 * Chooses the labels of running totals. Of few hours they say the time, evenly spaced. Of more hours or of days they say where a day
 * begins in this browser's time zone.
 * @param startMs when the first column begins
 */
export function labelsOf(size: Buckets["size"], totals: readonly Total[], startMs: number): Labels {
  const edges = [startMs, ...totals.map(({ untilMs }) => untilMs)].map((atMs, index) => ({
    index,
    atMs,
  }));
  if (size === "hour" && totals.length <= mostHours) {
    const even = new Set(evenTicks(edges.length, most).slice(1));
    return { part: "time", edges: edges.filter(({ index }) => index === 0 || even.has(index)) };
  }
  const between = edges.filter(({ index, atMs }) => {
    const before = edges[index - 1];
    const place = index / totals.length;
    const isNearEnd = place < nearEnd || place > 1 - nearEnd;
    return before !== undefined && !isNearEnd && dayOf(before.atMs) !== dayOf(atMs);
  });
  const shown = new Set(evenTicks(between.length, most - 2).map((index) => between[index]));
  const isEnd = (index: number) => index === 0 || index === totals.length;
  return { part: "day", edges: edges.filter((edge) => isEnd(edge.index) || shown.has(edge)) };
}

function dayOf(timeMs: number): number {
  return new Date(timeMs).setHours(0, 0, 0, 0);
}
