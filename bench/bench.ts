/** One thing that is measured, each time against a peer or a floor in the same run. */
export type Bench = {
  readonly name: string;
  /** Prints what it measures. `passed` is false if a bound is broken; a short run holds no bound. */
  readonly run: (options: { short: boolean }) => Promise<{ passed: boolean }> | { passed: boolean };
};
