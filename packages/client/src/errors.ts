/** The codes of docs/errors.md, "Browser"; written out, so that the published types stand alone. */
export type MessagingErrorCode =
  | "worker-failed"
  | "subscribe-failed"
  | "token-timeout"
  | "server-unreachable"
  | "server-refused"
  | "not-registered"
  | "storage-failed";

type Circumstances = {
  cause?: unknown;
  /** The server's own code, where the server refused. */
  problem?: string;
  /** The answer that was still open when the clock ran out; it may come after all. */
  late?: Promise<string | null>;
};

/**
 * What goes wrong on the browser's side. `code` is stable; docs/errors.md says for each code what happened and
 * what to do.
 */
export class MessagingError extends Error {
  override readonly name = "MessagingError";
  declare readonly code: MessagingErrorCode;
  declare readonly problem: string | undefined;
  declare readonly late: Promise<string | null> | undefined;

  constructor(code: MessagingErrorCode, { cause, problem, late }: Circumstances = {}) {
    super(problem ? `${code} (${problem})` : code, { cause });
    this.code = code;
    this.problem = problem;
    this.late = late;
  }
}

/** Runs `work`, and turns whatever it throws into a `MessagingError` of that code. */
export async function failingAs<T>(code: MessagingErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof MessagingError) throw cause;
    throw new MessagingError(code, { cause });
  }
}

/** Whether the browser refused for want of permission: that is "none", not a failure. */
export function isNotAllowed(error: unknown): boolean {
  const { code, cause }: Partial<MessagingError> = Object(error);
  const own = code === "subscribe-failed" ? cause : error;
  return Object(own).name === "NotAllowedError";
}
