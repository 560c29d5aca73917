import type { Duplex } from "node:stream";
import type { AnswerHeaders } from "../push-answer.ts";
import { readHead, type AnswerHead } from "./answer-head.ts";
import {
  ConnectionError,
  createFrameReader,
  errorCodes,
  flags,
  frameHeadBytes,
  frameTypes,
  largestPayload,
  withoutPadding,
} from "./frames.ts";
import { createFrameWriter } from "./frame-writer.ts";
import { collectBlocks } from "./header-blocks.ts";
import { createHeaderDecoder } from "./header-decoder.ts";
import { defaultWindowBytes, largestWindowBytes, readSettings } from "./settings.ts";

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
  /** The peer takes no further requests. */
  readonly onGoAway: () => void;
  /** The socket is closed, and every stream with it. */
  readonly onClose: () => void;
};

/** The client's side of one HTTP/2 connection (RFC 9113), as far as it takes to post small bodies and to hear what becomes of them. */
export type Http2Session = {
  /**
   * @returns the stream's id
   * @throws TypeError, RangeError for what cannot be written: the request has not begun then
   */
  readonly request: (request: Http2Request, listener: StreamListener) => number;
  /** Ends a stream, whatever has come of it. Of one that is closed already, nothing. */
  readonly reset: (stream: number) => void;
  /** @param onAnswer called when the peer has answered */
  readonly ping: (onAnswer: () => void) => void;
  /** Whether it takes further requests, as far as it goes by itself: it has ids left, and nothing has broken it. */
  readonly takesRequests: () => boolean;
  /** Says that it is over, and closes this side of the socket. For when no stream is open. */
  readonly end: () => void;
  /** Closes the socket at once. */
  readonly destroy: () => void;
};

type Stream = {
  readonly id: number;
  readonly listener: StreamListener;
  /** How much of its body the peer still takes. Below zero where it has shrunk what it takes. */
  window: number;
  /** What there was no room for so far. */
  unsent: Uint8Array | null;
  hasHead: boolean;
};

const lastStreamId = 2 ** 31 - 1;
const pingBytes = 8;
/** Between the heads of two answers: far more than what an honest peer has to say to as many streams as there are. */
const mostIdleBytes = 2 ** 20;

/**
 * @param socket connected, with HTTP/2 agreed upon; belongs to the session from now on
 */
export function startSession(socket: Duplex, listener: SessionListener): Http2Session {
  const streams = new Map<number, Stream>();
  /** Those with a body that waits for room, in their order. */
  const stalled = new Set<Stream>();
  const pings: (() => void)[] = [];
  const decoder = createHeaderDecoder();
  const blocks = collectBlocks((id, block, endsStream) => {
    onHead(id, readHead(decoder, block), endsStream);
  });
  const write = createFrameWriter(socket);
  let nextId = 1;
  let initialWindow = defaultWindowBytes;
  let window = defaultWindowBytes;
  /** Bytes of bodies since the peer was last told that there is room again. */
  let received = 0;
  let isGreeted = false;
  let idleBytes = 0;
  let isOver = false;
  let failure = "";

  function close(stream: Stream, end: StreamEnd): void {
    streams.delete(stream.id);
    stalled.delete(stream);
    stream.listener.onClose(end);
  }

  function resetFor(stream: Stream, code: number, detail: string): void {
    write.reset(stream.id, code);
    close(stream, { isRefused: false, detail });
  }

  /** What is on its way when it comes to this has to end here: nothing else of the peer's is read. */
  function destroy(): void {
    if (isOver) return;
    isOver = true;
    // Nobody waits for it to be read: the peer may never read again.
    write.flush();
    socket.destroy();
  }

  function fail(error: unknown): void {
    const code = error instanceof ConnectionError ? error.code : errorCodes.protocol;
    failure ||= String(error);
    write.goAway(code);
    destroy();
  }

  function sendBody(stream: Stream): void {
    while (stream.unsent !== null) {
      const { unsent } = stream;
      const room = Math.min(window, stream.window, unsent.length, largestPayload);
      // An empty body ends its stream whatever the windows are.
      if (room <= 0 && unsent.length > 0) {
        stalled.add(stream);
        return;
      }
      const isLast = room === unsent.length;
      write.data(stream.id, unsent.subarray(0, room), isLast);
      window -= room;
      stream.window -= room;
      stream.unsent = isLast ? null : unsent.subarray(room);
    }
    stalled.delete(stream);
  }

  function sendStalled(): void {
    for (const stream of stalled) sendBody(stream);
  }

  /** @returns the stream if it is open, undefined if it was. @throws ConnectionError if it never was */
  function known(id: number): Stream | undefined {
    if (id === 0 || id % 2 === 0 || id >= nextId) {
      throw new ConnectionError(errorCodes.protocol, `a frame for stream ${id}, which never was`);
    }
    return streams.get(id);
  }

  function onHead(id: number, head: AnswerHead, endsStream: boolean): void {
    const stream = known(id);
    if (stream === undefined) return;
    const { status, headers, malformed } = head;
    if (malformed !== null) {
      resetFor(stream, errorCodes.protocol, malformed);
    } else if (stream.hasHead) {
      if (status !== null || !endsStream) resetFor(stream, errorCodes.protocol, "odd trailers");
      else onEnd(stream);
    } else if (status === null || status === 101 || (status < 200 && endsStream)) {
      resetFor(stream, errorCodes.protocol, "an answer without a status");
    } else if (status < 200) {
      if (!stream.listener.onInterim()) {
        resetFor(stream, errorCodes.cancel, "more interim answers than anybody needs");
      }
    } else {
      stream.hasHead = true;
      idleBytes = 0;
      stream.listener.onHead(status, headers);
      if (endsStream) onEnd(stream);
    }
  }

  function onEnd(stream: Stream): void {
    if (!streams.delete(stream.id)) return;
    // The peer may have answered without reading the body to its end.
    if (stream.unsent !== null) write.reset(stream.id, errorCodes.cancel);
    stream.listener.onEnd();
    close(stream, whole);
  }

  function onHeaders(flag: number, id: number, payload: Buffer): void {
    known(id);
    blocks.begin(flag, id, payload);
  }

  function onData(flag: number, id: number, payload: Buffer): void {
    const stream = known(id);
    // Padding counts, and so does what comes for a stream that is closed (RFC 9113, section 6.9).
    received += payload.length;
    if (received >= defaultWindowBytes / 2) {
      write.windowUpdate(received);
      received = 0;
    }
    const data = withoutPadding(flag, payload);
    if (stream === undefined) return;
    if (!stream.hasHead) {
      resetFor(stream, errorCodes.protocol, "a body without a head");
      return;
    }
    if (data.length > 0) stream.listener.onData(data);
    if ((flag & flags.endStream) !== 0) onEnd(stream);
  }

  function onSettings(flag: number, id: number, payload: Buffer): void {
    demand(id === 0, "SETTINGS of a stream");
    if ((flag & flags.ack) !== 0) {
      demandLength(payload, 0);
      return;
    }
    const settings = readSettings(payload);
    if (settings.headerTableSize !== undefined) write.resizeTable(settings.headerTableSize);
    if (settings.initialWindowSize !== undefined) {
      const more = settings.initialWindowSize - initialWindow;
      initialWindow = settings.initialWindowSize;
      for (const stream of streams.values()) {
        stream.window += more;
        if (stream.window > largestWindowBytes) throw tooLargeWindow();
      }
      if (more > 0) sendStalled();
    }
    write.settingsAck();
    isGreeted = true;
    listener.onSettings(settings.maxConcurrentStreams ?? null);
  }

  function onReset(id: number, payload: Buffer): void {
    demandLength(payload, 4);
    const stream = known(id);
    if (stream === undefined) return;
    const code = payload.readUInt32BE();
    close(stream, { isRefused: code === errorCodes.refused, detail: `reset with code ${code}` });
  }

  function onPing(flag: number, id: number, payload: Buffer): void {
    demand(id === 0, "a PING of a stream");
    demandLength(payload, pingBytes);
    if ((flag & flags.ack) === 0) write.ping(payload, { isAnswer: true });
    // They are answered in their order, and what they say is nothing.
    else pings.shift()?.();
  }

  function onGoAway(id: number, payload: Buffer): void {
    demand(id === 0, "GOAWAY of a stream");
    if (payload.length < 8) throw new ConnectionError(errorCodes.frameSize, "a cut off GOAWAY");
    const last = payload.readUInt32BE(0) % 2 ** 31;
    const code = payload.readUInt32BE(4);
    const detail = `the push service said GOAWAY with code ${code}`;
    listener.onGoAway();
    for (const stream of streams.values()) {
      if (stream.id > last) close(stream, { isRefused: true, detail });
    }
    if (code === errorCodes.none) return;
    failure ||= detail;
    destroy();
  }

  function onWindowUpdate(id: number, payload: Buffer): void {
    demandLength(payload, 4);
    const more = payload.readUInt32BE() % 2 ** 31;
    const stream = id === 0 ? null : known(id);
    if (stream === undefined) return;
    if (stream === null) {
      demand(more > 0, "a WINDOW_UPDATE of nothing");
      window += more;
      if (window > largestWindowBytes) throw tooLargeWindow();
      sendStalled();
    } else if (more === 0) {
      resetFor(stream, errorCodes.protocol, "a WINDOW_UPDATE of nothing");
    } else if (stream.window + more > largestWindowBytes) {
      resetFor(stream, errorCodes.flowControl, "a window that is too large");
    } else {
      stream.window += more;
      sendBody(stream);
    }
  }

  function onFrame(type: number, flag: number, id: number, payload: Buffer): void {
    if (isOver) return;
    if (!isGreeted) {
      const isGreeting = type === frameTypes.settings && (flag & flags.ack) === 0;
      demand(isGreeting, "something before SETTINGS");
    }
    if (blocks.isPending()) {
      // Nothing may come in between (RFC 9113, section 4.3).
      demand(type === frameTypes.continuation, "a head that is interrupted");
      blocks.goOn(flag, id, payload);
      return;
    }
    idleBytes += frameHeadBytes + payload.length;
    if (idleBytes > mostIdleBytes) {
      throw new ConnectionError(errorCodes.calm, "frames that bring nothing any further");
    }
    switch (type) {
      case frameTypes.data:
        return onData(flag, id, payload);
      case frameTypes.headers:
        return onHeaders(flag, id, payload);
      case frameTypes.reset:
        return onReset(id, payload);
      case frameTypes.settings:
        return onSettings(flag, id, payload);
      case frameTypes.ping:
        return onPing(flag, id, payload);
      case frameTypes.goAway:
        return onGoAway(id, payload);
      case frameTypes.windowUpdate:
        return onWindowUpdate(id, payload);
      case frameTypes.priority:
        return demandLength(payload, 5);
      case frameTypes.pushPromise:
      case frameTypes.continuation:
        throw new ConnectionError(errorCodes.protocol, `a frame of type ${type}`);
      // Others have to be ignored (RFC 9113, section 4.1).
    }
  }

  const readFrames = createFrameReader(onFrame);
  socket.on("data", (chunk: Buffer) => {
    if (isOver) return;
    try {
      readFrames(chunk);
    } catch (error) {
      fail(error);
    }
  });
  socket.on("error", (error: Error) => {
    failure ||= error.message;
  });
  // No answer can come any more.
  socket.once("end", destroy);
  socket.once("close", () => {
    isOver = true;
    for (const stream of streams.values()) close(stream, { isRefused: false, detail: failure });
    listener.onClose();
  });
  write.preface();

  return {
    request({ authority, path, headers, body }, streamListener) {
      const id = nextId;
      write.request(id, { authority, path, headers, endsStream: body === null });
      nextId += 2;
      const stream: Stream = {
        id,
        listener: streamListener,
        window: initialWindow,
        unsent: body,
        hasHead: false,
      };
      streams.set(id, stream);
      sendBody(stream);
      return id;
    },
    reset(id) {
      const stream = streams.get(id);
      if (stream !== undefined && !isOver) resetFor(stream, errorCodes.cancel, "");
    },
    ping(onAnswer) {
      pings.push(onAnswer);
      write.ping(Buffer.alloc(pingBytes), { isAnswer: false });
    },
    takesRequests: () => !isOver && nextId <= lastStreamId,
    end() {
      if (isOver) return;
      write.goAway(errorCodes.none);
      write.flush();
      socket.end();
    },
    destroy,
  };
}

const whole: StreamEnd = { isRefused: false, detail: "" };

function tooLargeWindow(): ConnectionError {
  return new ConnectionError(errorCodes.flowControl, "a window that is too large");
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new ConnectionError(errorCodes.protocol, otherwise);
}

function demandLength(payload: Buffer, bytes: number): void {
  if (payload.length !== bytes) {
    throw new ConnectionError(errorCodes.frameSize, `a frame of ${payload.length} bytes`);
  }
}
