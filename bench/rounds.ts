/** Something that is done over and over: `once` gets a number that counts up. */
export type Timed = { readonly name: string; readonly once: (turn: number) => void };

/** Something that times itself, such as another program: operations per second of CPU time, a round's worth. */
export type SelfTimed = { readonly name: string; readonly rate: () => number };

export type Contender = Timed | SelfTimed;

/** Operations per second of this thread's CPU time, one figure per round. */
export type Rates = { readonly name: string; readonly perSecond: readonly number[] };

/** Operations between two looks at the clock. */
const batch = 20;

/**
 * Measures contenders on this thread, one after the other in short slices. CPU time is what counts, and contenders
 * alternate, so that whatever else runs on the machine changes the figures little and the ratios hardly at all. The
 * first round warms up and does not count.
 */
export function measure(
  contenders: readonly Contender[],
  { rounds, sliceMs }: { rounds: number; sliceMs: number },
): Rates[] {
  const rates = contenders.map(({ name }) => ({ name, perSecond: [] as number[] }));
  let turn = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      if ("rate" in contender) {
        // It has nothing to warm up.
        if (round > 0) rates[index]?.perSecond.push(contender.rate());
        continue;
      }
      const startMs = threadCpuMs();
      let count = 0;
      let spentMs = 0;
      while (spentMs < sliceMs) {
        for (let step = 0; step < batch; step += 1) contender.once(turn + step);
        turn += batch;
        count += batch;
        spentMs = threadCpuMs() - startMs;
      }
      if (round > 0) rates[index]?.perSecond.push((count * 1000) / spentMs);
    }
  }
  return rates;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted.at(index) ?? Number.NaN;
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, least: at(0), most: at(-1) };
}

/** How many times one's rate is the other's, round by round. */
export function ratioOf(one: Rates, other: Rates): Spread {
  return spreadOf(
    one.perSecond.map((rate, round) => rate / (other.perSecond[round] ?? Number.NaN)),
  );
}
