/** One thing that is measured, each time against a peer or a floor in the same run. */
export type Bench = {
  readonly name: string;
  /** Takes minutes whatever it is given, so it is no part of a short run. */
  readonly onlyLong?: boolean;
  /**
   * Prints what it measures; with `write`, into its place in docs/performance.md as well, if it has one. `passed` is
   * false if a bound is broken; a short run holds no bound.
   */
  readonly run: (options: {
    short: boolean;
    write: boolean;
  }) => Promise<{ passed: boolean }> | { passed: boolean };
};
