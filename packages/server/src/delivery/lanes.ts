import type { Turn } from "./page.ts";

/** The recipients of a page at one push origin, in the order in which they are sent to. */
export type Lane = {
  readonly pushOrigin: string;
  /** Those that a push was begun for, or that had better not get one any more: the first so many. */
  begun: number;
  readonly turns: readonly Turn[];
  /** Pushes under way. */
  underWay: number;
};

export type LaneRules = {
  /** Pushes under way at once at one push origin. */
  concurrency: number;
  /** And at all of those together that have never accepted anything. */
  unprovenSlots: number;
  /** Of those so many that have not answered yet: each may cost a look-up and a connection. */
  lookups: number;
  isProven: (pushOrigin: string) => boolean;
  /** Whether no more is to be begun there. */
  isClosed: (pushOrigin: string) => boolean;
  /** Sends to one recipient. Never rejects. @returns whether the push origin has answered */
  push: (turn: Turn) => Promise<boolean>;
};

export type Lanes = {
  readonly all: readonly Lane[];
  /** Whether nothing is under way there, and nothing more will be. */
  readonly hasEnded: (lane: Lane) => boolean;
  /** Resolves when these lanes have ended; without any named, when all have. */
  readonly ended: (lanes?: readonly Lane[]) => Promise<void>;
  /** Looks again at what may be begun. */
  readonly goOn: () => void;
};

/** Sends a page: each push origin at its own pace, so that a slow one holds up only its own pushes. */
export function startLanes(turns: readonly Turn[], rules: LaneRules): Lanes {
  const grouped = Map.groupBy(turns, ({ recipient }) => recipient.pushOrigin);
  const all = Array.from(grouped, ([pushOrigin, own]): Lane & { answered: boolean } => ({
    pushOrigin,
    turns: own,
    begun: 0,
    underWay: 0,
    answered: false,
  }));
  const waiting = new Set<{ of: readonly Lane[]; resolve: () => void }>();
  let unproven = 0;
  let unanswered = 0;

  function hasEnded(lane: Lane): boolean {
    const isDone = lane.begun === lane.turns.length || rules.isClosed(lane.pushOrigin);
    return lane.underWay === 0 && isDone;
  }

  function mayBegin(lane: (typeof all)[number]): boolean {
    if (lane.begun === lane.turns.length || rules.isClosed(lane.pushOrigin)) return false;
    if (rules.isProven(lane.pushOrigin)) return lane.underWay < rules.concurrency;
    if (unproven >= rules.unprovenSlots) return false;
    // Alone on the page, it costs one look-up however many pushes wait for it.
    if (lane.answered || all.length === 1) return true;
    return lane.underWay === 0 && unanswered < rules.lookups;
  }

  async function begin(lane: (typeof all)[number]): Promise<void> {
    const turn = lane.turns[lane.begun];
    if (turn === undefined) return;
    const isProven = rules.isProven(lane.pushOrigin);
    const isFirst = !isProven && !lane.answered;
    lane.begun += 1;
    lane.underWay += 1;
    if (!isProven) unproven += 1;
    if (isFirst) unanswered += 1;
    const answered = await rules.push(turn);
    lane.underWay -= 1;
    if (!isProven) unproven -= 1;
    if (isFirst) unanswered -= 1;
    lane.answered ||= answered;
    goOn(isProven ? lane : undefined);
  }

  /** @param only the one where room was made; without it, any */
  function goOn(only?: (typeof all)[number]): void {
    for (const lane of only === undefined ? all : [only]) {
      while (mayBegin(lane)) void begin(lane);
    }
    for (const each of waiting) {
      if (!each.of.every(hasEnded)) continue;
      waiting.delete(each);
      each.resolve();
    }
  }

  goOn();
  return {
    all,
    hasEnded,
    goOn: () => goOn(),
    ended(of = all) {
      if (of.every(hasEnded)) return Promise.resolve();
      return new Promise((resolve) => waiting.add({ of, resolve }));
    },
  };
}
