/** Thrown where as many wait as may. */
export class NoTurnLeft extends Error {
  constructor() {
    super("as many wait as may");
    this.name = "NoTurnLeft";
  }
}

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets so many do their work at once; others wait in their order, at most so many.
 * @throws NoTurnLeft at once, where nobody may wait any more
 */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  let working = 0;
  const queue: (() => void)[] = [];

  function leave(): void {
    const next = queue.shift();
    // Whose turn comes next takes over this place, so the count stays.
    if (next === undefined) working -= 1;
    else next();
  }

  return async (work) => {
    if (working < atOnce) working += 1;
    else if (queue.length >= waiting) throw new NoTurnLeft();
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
