import type { AnswerHeaders } from "../push-answer.ts";

export type Http2Request = {
  readonly authority: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: there is none. */
  readonly body: Uint8Array | null;
};

/** Hears of a request's answer. `onClose` comes last and exactly once, and never from within `request`. */
export type StreamListener = {
  /** An interim answer (1xx). @returns false if it is one too many: the stream is reset */
  readonly onInterim: () => boolean;
  readonly onHead: (status: number, headers: AnswerHeaders) => void;
  readonly onData: (chunk: Uint8Array) => void;
  /** The answer is whole. */
  readonly onEnd: () => void;
  readonly onClose: (end: StreamEnd) => void;
};

export type StreamEnd = {
  /** Whether it is certain that the peer did nothing with the request (RFC 9113, sections 6.8 and 8.7). */
  readonly isRefused: boolean;
  /** Empty where nothing went wrong. */
  readonly detail: string;
};

export type SessionListener = {
  /** The peer has said how many streams there may be; null: it has not. Each time that it says something. */
  readonly onSettings: (maxConcurrentStreams: number | null) => void;
  /**
   * The peer takes no further requests, and the session ends by itself with its last stream.
   * @param isError something went wrong there: what it does not answer soon it never will
   */
  readonly onGoAway: (isError: boolean) => void;
  /** The peer reads again, after it had left much of what was written unread. */
  readonly onDrain: () => void;
  /** The socket is closed, and every stream with it. */
  readonly onClose: () => void;
};

/** The client's side of one HTTP/2 connection (RFC 9113), as far as it takes to post small bodies and to hear what becomes of them. */
export type Http2Session = {
  /**
   * Begins a request. Where the session does not take requests any more, it is refused.
   * @returns the stream's id
   * @throws TypeError, RangeError for what cannot be written: the request has not begun then
   */
  readonly request: (request: Http2Request, listener: StreamListener) => number;
  /** Ends a stream, whatever has come of it. Of one that is closed already, nothing. */
  readonly reset: (stream: number) => void;
  /** @param onAnswer called when the peer has answered */
  readonly ping: (onAnswer: () => void) => void;
  /** Whether it takes further requests at all. */
  readonly takesRequests: () => boolean;
  /** Whether the peer has left much of what was written unread: further requests had better wait. */
  readonly isClogged: () => boolean;
  /** Takes no more requests, says so, and closes this side of the socket when no stream is open. Repeatable. */
  readonly end: () => void;
  /** Closes the socket at once. */
  readonly destroy: () => void;
};
