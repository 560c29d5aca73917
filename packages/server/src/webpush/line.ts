import type { FailedReason, RetryReason } from "./outcome.ts";
import type { AnswerHeaders } from "./push-answer.ts";

/** What is posted to an endpoint. Header names in lower case. */
export type LineRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: no body, a push without a message. */
  readonly body: Uint8Array | null;
};

export type Answered = {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Its beginning, at most 4,096 bytes. */
  readonly body: Uint8Array;
};

export type Broken = {
  readonly kind: "broken";
  readonly reason: RetryReason | Extract<FailedReason, "address-not-allowed">;
  readonly detail: string;
};

export type Exchange = Answered | Broken;

/** A request under way. */
export type Running = {
  /** Never rejects. */
  readonly done: Promise<Exchange>;
  /** Ends it now: with the answer as far as it came, or broken as `answer-timed-out`. */
  readonly abandon: () => void;
};

/**
 * A connection to a push service, as what carries requests: an HTTP/2 session or an HTTP/1.1 connection.
 *
 * Guarantees: a request that `start` returned for ends in `done`, whatever happens to the connection. Whenever `free` or
 * `ended` may have changed, `onChange` is called, never from within `start`.
 */
export type Line = {
  /**
   * Starts a request, which `free` has to have room for.
   * @throws if a header or the path cannot be written
   */
  readonly start: (request: LineRequest) => Running;
  /** How many such lines one push origin may have. */
  readonly sideBySide: number;
  /** Requests that may be started now. */
  readonly free: () => number;
  /** Whether it takes no more requests, though some may still be under way. */
  readonly ended: () => boolean;
  /** Takes no more requests and closes when those under way are done. Repeatable. */
  readonly end: () => void;
  /** Closes at once; requests under way end as broken for this reason. Repeatable. */
  readonly destroy: (reason: Broken["reason"]) => void;
  /** Resolves when the socket is closed. */
  readonly closed: Promise<void>;
};

export function broken(reason: Broken["reason"], detail = ""): Broken {
  return { kind: "broken", reason, detail };
}
