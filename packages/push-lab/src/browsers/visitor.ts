/** The visitor whom a test plays. */
export type VisitorOptions = {
  /** What was decided about notifications before the test begins; `granted` if not given. */
  readonly permission?: "granted" | "denied";
  /** The origins it was decided for, such as `http://127.0.0.1:3000`; every one if not given. Elsewhere nothing is decided. */
  readonly origins?: readonly string[];
  /** Other host names that the browser finds on 127.0.0.1. */
  readonly hosts?: readonly string[];
};
