export type OriginCounts = {
  /** Whatever came in whole, and however it was answered. */
  readonly requests: number;
  /** Pushes taken, whether or not their sender was told so. */
  readonly accepted: number;
  /** Paths at which at least one push was taken. */
  readonly distinct: number;
  /** Pushes taken at a path that had taken one before: `accepted` less `distinct`. */
  readonly duplicates: number;
  /** How many paths have taken just so many pushes, for two and more: `{ "2": 7, "3": 1 }`. */
  readonly repeated: Readonly<Record<string, number>>;
  /** How many requests were answered with which status; `0` for those left without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
};

/** All of it, and by origin. */
export type SinkCounts = OriginCounts & {
  readonly origins: Readonly<Record<string, OriginCounts>>;
  /** Connections that are open now. */
  readonly connections: number;
};

export type Tally = {
  readonly answered: (status: number) => void;
  readonly accepted: (path: string) => void;
  readonly counts: () => OriginCounts;
  /** How many pushes each path has taken. */
  readonly paths: ReadonlyMap<string, number>;
  readonly reset: () => void;
};

/** Counts in constant time for each request; all that grows is one number for each path. */
export function createTally(): Tally {
  const paths = new Map<string, number>();
  const statuses = new Map<string, number>();
  const repeated = new Map<string, number>();
  let requests = 0;
  let accepted = 0;

  return {
    paths,
    answered: (status) => {
      requests += 1;
      add(statuses, status, 1);
    },
    accepted: (path) => {
      accepted += 1;
      const times = (paths.get(path) ?? 0) + 1;
      paths.set(path, times);
      if (times > 2) add(repeated, times - 1, -1);
      if (times > 1) add(repeated, times, 1);
    },
    counts: () => ({
      requests,
      accepted,
      distinct: paths.size,
      duplicates: accepted - paths.size,
      repeated: Object.fromEntries(repeated),
      statuses: Object.fromEntries(statuses),
    }),
    reset: () => {
      for (const counted of [paths, statuses, repeated]) counted.clear();
      requests = 0;
      accepted = 0;
    },
  };
}

/** The sum of what each origin counts. */
export function sumOf(all: readonly OriginCounts[]): OriginCounts {
  const sum = { requests: 0, accepted: 0, distinct: 0, duplicates: 0 };
  const repeated = new Map<string, number>();
  const statuses = new Map<string, number>();
  for (const one of all) {
    sum.requests += one.requests;
    sum.accepted += one.accepted;
    sum.distinct += one.distinct;
    sum.duplicates += one.duplicates;
    for (const [times, count] of Object.entries(one.repeated)) add(repeated, times, count);
    for (const [status, count] of Object.entries(one.statuses)) add(statuses, status, count);
  }
  return {
    ...sum,
    repeated: Object.fromEntries(repeated),
    statuses: Object.fromEntries(statuses),
  };
}

/** What has come down to 0 is not told. */
function add(counted: Map<string, number>, name: string | number, more: number): void {
  const count = (counted.get(String(name)) ?? 0) + more;
  if (count === 0) counted.delete(String(name));
  else counted.set(String(name), count);
}
