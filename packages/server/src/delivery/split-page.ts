import type { Batch, Split } from "../store/port.ts";
import type { Lane, Lanes } from "./lanes.ts";
import type { Work } from "./work.ts";
import type { WriteParts } from "./write.ts";

export type PatienceParts = Pick<WriteParts, "pause"> & {
  /** How long the last push origins of a page may take after the first, before they go on as batches of their own. */
  patienceMs: number;
};

/**
 * Waits for a page until all of its push origins have ended, or the slow ones have had their time.
 * @param signal aborted when the page ends early: no push under way is left behind then
 * @returns the slow ones, for which the others would wait
 */
export async function slowLanes(
  lanes: Lanes,
  signal: AbortSignal,
  { pause, patienceMs }: PatienceParts,
): Promise<Lane[]> {
  const all = lanes.ended();
  await Promise.race([all, ...lanes.all.map((lane) => lanes.ended([lane]))]);
  if (lanes.all.every(lanes.hasEnded)) return [];
  const over = new AbortController();
  await Promise.race([all, pause(patienceMs, AbortSignal.any([over.signal, signal]))]);
  over.abort();
  if (signal.aborted) await all;
  return lanes.all.filter((lane) => !lanes.hasEnded(lane));
}

/** How a page is left, to be written. */
export type PageEnd = {
  /** Push origins of which this page tells all that there is to tell. */
  ended: readonly Lane[];
  /** Where the cursor stands from now on. */
  to: number;
  /** Slow ones with pushes under way: each goes on under a lease of its own, which is the split at the same place. */
  apart: readonly Lane[];
  splits: readonly Split[];
};

/**
 * What of a page goes on as batches of their own: push origins that are slow, or that had better not get their rest now.
 * @param slow nothing more is begun at those of them where nothing was begun
 * @param endsEarly whether the whole page does
 * @param leaseUntilMs until when what goes on at once is leased
 */
export function endOf(
  batch: Batch,
  work: Work,
  all: readonly Lane[],
  {
    slow,
    endsEarly,
    leaseUntilMs,
  }: { slow: readonly Lane[]; endsEarly: boolean; leaseUntilMs: number },
): PageEnd {
  const { cursor } = batch;
  const ended = all.filter((lane) => !slow.includes(lane));
  const apart = slow.filter(({ begun }) => begun > 0);
  const notBegun = slow.filter(({ begun }) => begun === 0);
  const cut = ended.filter(({ begun, turns }) => begun < turns.length);
  const isOfOne = batch.onlyOrigins?.length === 1;
  const isOneWalk = all.length === 1 || all.every(({ begun }) => begun === 0);
  if (cut.length > 0 && (isOfOne || (endsEarly && isOneWalk))) {
    // The batch goes on where it was left.
    const to = Math.max(...cut.map((lane) => lastBegun(lane, work, batch)));
    return { ended, to, apart, splits: [] };
  }
  const splits: Split[] = [
    ...apart.map(({ pushOrigin, turns }) => {
      const underWay = turns.map(({ recipient }) => recipient.registrationId);
      return { pushOrigins: [pushOrigin], cursor, leaseUntilMs, underWay };
    }),
    ...cut.map((lane) => {
      const from = lastBegun(lane, work, batch);
      return { pushOrigins: [lane.pushOrigin], cursor: from, leaseUntilMs: null };
    }),
  ];
  if (notBegun.length > 0) {
    const pushOrigins = notBegun.map(({ pushOrigin }) => pushOrigin);
    splits.push({ pushOrigins, cursor, leaseUntilMs: null });
  }
  return { ended, to: work.walkTo, apart, splits };
}

/** The end of a push origin that has gone on apart. */
export function endOfApart(batch: Batch, work: Work, lane: Lane): number {
  const isWhole = lane.begun === lane.turns.length;
  return Math.max(batch.cursor, isWhole ? work.walkTo : lastBegun(lane, work, batch));
}

/** The part of the work that is at one push origin. */
export function workAt({ pushOrigin }: Lane, work: Work): Work {
  const isHere = (turn: Work["walk"][number]) => turn.recipient.pushOrigin === pushOrigin;
  return {
    ...work,
    retries: work.retries.filter(isHere),
    walk: work.walk.filter(isHere),
    notAgain: [],
  };
}

/** The last registration of the range that was not left for later. */
function lastBegun({ turns, begun }: Lane, { walk }: Work, { cursor }: Batch): number {
  const walked = new Set(walk);
  const ids = turns.slice(0, begun).flatMap((turn) => {
    return walked.has(turn) ? [turn.recipient.registrationId] : [];
  });
  return Math.max(cursor, ...ids);
}
