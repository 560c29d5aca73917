import type { Writable } from "node:stream";

import type { LastStream } from "../faults/fault.ts";
import type { Answer } from "../push-service/service-rules.ts";
import type { PushRequest } from "../push-service/push-request.ts";

/** One request that has come in whole, and every way in which it can be answered, well or not. */
export type Exchange = {
  readonly request: PushRequest;
  /** Nobody waits for an answer any more, or the connection has said that it does not look at this request. */
  readonly isGone: () => boolean;
  readonly answer: (answer: Answer) => void;
  /** Sends the head of an answer; the body is written to what comes back, for as long as one likes. */
  readonly begin: (answer: Answer) => Writable;
  /** Header lines, or interim answers, as fast as they are read, until the connection or the stream ends. */
  readonly sendHeadersForEver: () => void;
  /** RST_STREAM with a code of HTTP/2; over HTTP/1.1 the connection is cut. */
  readonly reset: (code: number) => void;
  /** How many streams the connection may have open from now on. */
  readonly limitStreams: (maxConcurrentStreams: number) => void;
  /** GOAWAY. Says whether this request is still looked at. */
  readonly goAway: (code: number, last: LastStream) => boolean;
  readonly cutConnection: () => void;
};

export const filler: string = "x".repeat(20_000);

/** Statuses whose answer ends with its head (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export function hasNoBody({ status, body = "" }: Answer): boolean {
  return body === "" || [204, 205, 304].includes(status);
}

/** Writes what `next` gives, again and again, no faster than it is taken. */
export function writeForEver(writable: Writable, next: () => string | Uint8Array): void {
  const pump = (): void => {
    // One at a time, so that everything else this process does has its turn.
    if (writable.destroyed || writable.writableEnded) return;
    writable.write(next(), (error) => {
      if (!error) setImmediate(pump);
    });
  };
  pump();
}
