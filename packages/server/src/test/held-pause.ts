type Waiting = { milliseconds: number; wake: () => void };

/** Waits that last until a test ends them, or until their signal. */
export function heldPause() {
  const waiting = new Set<Waiting>();
  let changed = Promise.withResolvers<void>();

  const ofLength = (milliseconds: number) =>
    [...waiting].filter((one) => one.milliseconds === milliseconds);

  function tell(): void {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  }

  /** Resolves once somebody waits for so long. */
  async function begun(milliseconds: number): Promise<void> {
    while (ofLength(milliseconds).length === 0) await changed.promise;
  }

  return {
    begun,
    pause: (milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const one: Waiting = {
          milliseconds,
          wake: () => {
            waiting.delete(one);
            resolve();
            tell();
          },
        };
        signal.addEventListener("abort", () => one.wake(), { once: true });
        waiting.add(one);
        tell();
      }),

    /** Ends all waits of this length, as soon as there is one. */
    async end(milliseconds: number): Promise<void> {
      await begun(milliseconds);
      for (const one of ofLength(milliseconds)) one.wake();
    },

    /** Resolves once nobody waits for so long any more. */
    async ended(milliseconds: number): Promise<void> {
      while (ofLength(milliseconds).length > 0) await changed.promise;
    },

    /** How many there are of this length. */
    count: (milliseconds: number): number => ofLength(milliseconds).length,
  };
}
