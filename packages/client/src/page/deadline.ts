import { MessagingError } from "../errors.ts";

/** Chromium's `subscribe()` hangs for minutes when it cannot reach its push service. */
const tokenTimeoutMs = 20_000;

/**
 * `work`, or after 20 s a rejection that carries it as `late`: the answer may still come.
 *
 * @throws MessagingError `token-timeout`
 */
export function withinDeadline(work: Promise<string | null>): Promise<string | null>;
/** A worker's registration is never told as `late`: the caller gives the rejection a code of its own. */
export function withinDeadline<T>(work: Promise<T>): Promise<T>;
export function withinDeadline(work: Promise<string | null>): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new MessagingError("token-timeout", { late: work })),
      tokenTimeoutMs,
    );
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
