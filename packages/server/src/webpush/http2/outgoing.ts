import type { FrameWriter } from "./frame-writer.ts";
import { largestPayload } from "./frames.ts";
import { defaultWindowBytes, largestWindowBytes } from "./settings.ts";

/** Bodies on their way out, as far as the peer has room for them (RFC 9113, section 5.2). */
export type Outgoing = {
  /**
   * Sends a body, which is not empty, after the heads that are being written now, and as there comes to be room for it. A peer
   * that allows fewer streams as it answers the first of many would refuse those whose heads it has not seen.
   */
  readonly begin: (stream: number, body: Uint8Array) => void;
  /** Whether a stream's body still waits for room. */
  readonly isWaiting: (stream: number) => boolean;
  /** What has not gone out of a stream's body never will. */
  readonly drop: (stream: number) => void;
  /** The peer has more room for one body. @returns false if that is more than there may be */
  readonly grow: (stream: number, bytes: number) => boolean;
  /** The peer has more room for all of them together. @returns false if that is more than there may be */
  readonly growAll: (bytes: number) => boolean;
  /** The peer has said how much of each body it takes at first. @returns false if one has more than there may be */
  readonly resize: (bytes: number) => boolean;
  /** Sends what there has come to be room for. */
  readonly goOn: () => void;
};

/** Of one body what has not gone out. */
type Waiting = {
  unsent: Uint8Array;
  /** How much of it the peer takes. Below zero where it takes less than before. */
  window: number;
};

export function createOutgoing(write: Pick<FrameWriter, "data">): Outgoing {
  /** In their order. A body that has gone out needs no window any more. */
  const waiting = new Map<number, Waiting>();
  let initialWindow = defaultWindowBytes;
  let sharedWindow = defaultWindowBytes;

  let isDue = false;

  /** @returns whether all of it has gone out */
  function send(stream: number, body: Waiting): boolean {
    while (body.unsent.length > 0) {
      const { unsent } = body;
      const room = Math.min(sharedWindow, body.window, unsent.length, largestPayload);
      if (room <= 0) return false;
      write.data(stream, unsent.subarray(0, room), room === unsent.length);
      sharedWindow -= room;
      body.window -= room;
      body.unsent = room === unsent.length ? nothing : unsent.subarray(room);
    }
    return true;
  }

  function goOn(): void {
    isDue = false;
    for (const [stream, body] of waiting) {
      if (sharedWindow <= 0) return;
      if (send(stream, body)) waiting.delete(stream);
    }
  }

  return {
    begin(stream, body) {
      waiting.set(stream, { unsent: body, window: initialWindow });
      if (isDue) return;
      isDue = true;
      queueMicrotask(goOn);
    },
    isWaiting: (stream) => waiting.has(stream),
    drop: (stream) => waiting.delete(stream),
    grow(stream, bytes) {
      const body = waiting.get(stream);
      if (body !== undefined) body.window += bytes;
      return body === undefined || body.window <= largestWindowBytes;
    },
    growAll(bytes) {
      sharedWindow += bytes;
      return sharedWindow <= largestWindowBytes;
    },
    resize(bytes) {
      const more = bytes - initialWindow;
      initialWindow = bytes;
      for (const body of waiting.values()) {
        body.window += more;
        if (body.window > largestWindowBytes) return false;
      }
      return true;
    },
    goOn,
  };
}

/** What has gone out is not held on to (session.ts, `nobody`). */
const nothing = new Uint8Array(0);
