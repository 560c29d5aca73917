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

/** A peer may make room as often as it likes: each time is work for what it lets go on, and for nothing else that waits. */
export function createOutgoing(write: Pick<FrameWriter, "data">): Outgoing {
  /** Bodies with room of their own, in their order. They wait for the room that they share. */
  const ready = new Map<number, Waiting>();
  /** Bodies without. A body that has gone out needs no window any more. */
  const stuck = new Map<number, Waiting>();
  let initialWindow = defaultWindowBytes;
  let sharedWindow = defaultWindowBytes;

  let isDue = false;

  function put(stream: number, body: Waiting): void {
    (body.window > 0 ? ready : stuck).set(stream, body);
  }

  /** Sends as much of a body as there is room for. */
  function send(stream: number, body: Waiting): void {
    while (body.unsent.length > 0) {
      const { unsent } = body;
      const room = Math.min(sharedWindow, body.window, unsent.length, largestPayload);
      if (room <= 0) return;
      write.data(stream, unsent.subarray(0, room), room === unsent.length);
      sharedWindow -= room;
      body.window -= room;
      body.unsent = room === unsent.length ? nothing : unsent.subarray(room);
    }
  }

  function sendReady(): void {
    isDue = false;
    for (const [stream, body] of ready) {
      if (sharedWindow <= 0) return;
      send(stream, body);
      const isSent = body.unsent.length === 0;
      if (!isSent && body.window > 0) return;
      ready.delete(stream);
      if (!isSent) stuck.set(stream, body);
    }
  }

  return {
    begin(stream, body) {
      put(stream, { unsent: body, window: initialWindow });
      if (isDue) return;
      isDue = true;
      queueMicrotask(sendReady);
    },
    isWaiting: (stream) => ready.has(stream) || stuck.has(stream),
    drop(stream) {
      ready.delete(stream);
      stuck.delete(stream);
    },
    grow(stream, bytes) {
      const body = ready.get(stream) ?? stuck.get(stream);
      if (body === undefined) return true;
      body.window += bytes;
      if (body.window > 0 && stuck.delete(stream)) ready.set(stream, body);
      return body.window <= largestWindowBytes;
    },
    growAll(bytes) {
      sharedWindow += bytes;
      return sharedWindow <= largestWindowBytes;
    },
    resize(bytes) {
      const more = bytes - initialWindow;
      initialWindow = bytes;
      const all = [...ready, ...stuck];
      ready.clear();
      stuck.clear();
      for (const [stream, body] of all) {
        body.window += more;
        put(stream, body);
        if (body.window > largestWindowBytes) return false;
      }
      return true;
    },
    goOn() {
      // What is due comes in this turn, and then all of it.
      if (!isDue) sendReady();
    },
  };
}

/** What has gone out is not held on to (session.ts, `nobody`). */
const nothing = new Uint8Array(0);
