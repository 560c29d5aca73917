import type { Duplex } from "node:stream";
import { readHead, type AnswerHead } from "./answer-head.ts";
import {
  ConnectionError,
  createFrameReader,
  errorCodes,
  flags,
  frameHeadBytes,
  frameTypes,
  withoutPadding,
} from "./frames.ts";
import { createFrameWriter } from "./frame-writer.ts";
import { collectBlocks } from "./header-blocks.ts";
import { createHeaderDecoder, mostBlockBytes } from "./header-decoder.ts";
import { createOutgoing } from "./outgoing.ts";
import type { Http2Session, SessionListener, StreamEnd, StreamListener } from "./port.ts";
import { defaultWindowBytes, readSettings } from "./settings.ts";

type Stream = {
  readonly id: number;
  /** Until it is closed. */
  listener: StreamListener;
  hasHead: boolean;
  /** Bytes of its body so far. */
  received: number;
};

const lastStreamId = 2 ** 31 - 1;
const pingBytes = 8;
/** Whatever is longer than that is reset. Error pages are not: servers suspect those who reset many streams. */
const mostBodyBytes = 32_768;

/**
 * What a peer may say, in bytes of frames. A request allows for its answer: the longest head, and what flow control lets come
 * of a body. An honest peer cannot use it up, and one that says more than anybody needs is left before it has cost much.
 */
const patience = {
  atFirst: 65_536,
  perRequest: 2 * mostBlockBytes + defaultWindowBytes,
  most: 2 ** 24,
  /** Beside its bytes, what is work for every stream, and what nobody says often: SETTINGS and GOAWAY. */
  forAllStreams: 1024,
  /** And what may be a frame of ours: as much as lets a peer make room for each DATA, were it of a few bytes. */
  perWindowUpdate: 64,
} as const;

/** Twice of what bodies may wait to be read at once: whoever leaves more unread is flooding us. */
const mostUnreadBytes = 2 ** 21;

/**
 * @param socket connected, with HTTP/2 agreed upon; belongs to the session from now on
 */
export function startSession(socket: Duplex, listener: SessionListener): Http2Session {
  const streams = new Map<number, Stream>();
  const pings: (() => void)[] = [];
  const decoder = createHeaderDecoder();
  const blocks = collectBlocks((id, block, endsStream) => {
    takeHead(id, readHead(decoder, block), endsStream);
  });
  const write = createFrameWriter(socket);
  const outgoing = createOutgoing(write);
  let nextId = 1;
  /** Bytes of bodies since the peer was last told that there is room again. */
  let received = 0;
  let isGreeted = false;
  let left: number = patience.atFirst;
  let isEnding = false;
  let isOver = false;
  let failure = "";

  function close(stream: Stream, how: StreamEnd): void {
    streams.delete(stream.id);
    outgoing.drop(stream.id);
    const { listener: last } = stream;
    stream.listener = nobody;
    last.onClose(how);
    closeWhenDone();
  }

  function resetFor(stream: Stream, code: number, detail: string): void {
    write.reset(stream.id, code);
    close(stream, { isRefused: false, detail });
  }

  function closeWhenDone(): void {
    if (!isEnding || isOver || streams.size > 0) return;
    // A peer that has failed is not waited for.
    if (failure !== "") return destroy();
    write.flush();
    socket.end();
  }

  function end(): void {
    if (isOver || isEnding) return;
    isEnding = true;
    write.goAway(errorCodes.none);
    closeWhenDone();
  }

  function destroy(): void {
    if (isOver) return;
    isOver = true;
    // As far as the system takes it at once: the peer may never read again.
    write.flush();
    socket.destroy();
  }

  function fail(error: unknown): void {
    if (isOver) return;
    const code = error instanceof ConnectionError ? error.code : errorCodes.protocol;
    failure ||= String(error);
    write.goAway(code);
    destroy();
  }

  /** @returns the stream if it is open, undefined if it was. @throws ConnectionError if it never was */
  function known(id: number): Stream | undefined {
    if (id === 0 || id % 2 === 0 || id >= nextId) {
      throw new ConnectionError(errorCodes.protocol, `a frame for stream ${id}, which never was`);
    }
    return streams.get(id);
  }

  function takeHead(id: number, head: AnswerHead, endsStream: boolean): void {
    const stream = streams.get(id);
    if (stream === undefined) return;
    const { status, headers, malformed } = head;
    if (malformed !== null) {
      resetFor(stream, errorCodes.protocol, malformed);
    } else if (stream.hasHead) {
      if (status !== null || !endsStream) resetFor(stream, errorCodes.protocol, "odd trailers");
      else finish(stream);
    } else if (status === null || status === 101 || (status < 200 && endsStream)) {
      resetFor(stream, errorCodes.protocol, "an answer without a status");
    } else if (status < 200) {
      if (!stream.listener.onInterim()) {
        resetFor(stream, errorCodes.cancel, "more interim answers than anybody needs");
      }
    } else {
      stream.hasHead = true;
      // What has ended can no longer be reset.
      if (endsStream) streams.delete(id);
      stream.listener.onHead(status, headers);
      if (endsStream) finish(stream);
    }
  }

  /** The answer is whole. */
  function finish(stream: Stream): void {
    streams.delete(stream.id);
    // The peer may have answered without reading the request to its end.
    if (outgoing.isWaiting(stream.id)) write.reset(stream.id, errorCodes.cancel);
    stream.listener.onEnd();
    close(stream, whole);
  }

  function takeData(flag: number, id: number, payload: Buffer): void {
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
    const endsStream = (flag & flags.endStream) !== 0;
    // What has ended can no longer be reset.
    if (endsStream) streams.delete(id);
    if (data.length > 0) stream.listener.onData(data);
    stream.received += data.length;
    if (endsStream) finish(stream);
    else if (stream.received > mostBodyBytes && streams.has(id)) {
      resetFor(stream, errorCodes.cancel, "a body that is longer than anybody needs");
    }
  }

  function takeSettings(flag: number, id: number, payload: Buffer): void {
    demand(id === 0, "SETTINGS of a stream");
    if ((flag & flags.ack) !== 0) {
      demandLength(payload, 0);
      return;
    }
    left -= patience.forAllStreams;
    const settings = readSettings(payload);
    for (const bytes of settings.headerTableSizes) write.resizeTable(bytes);
    const { initialWindowSize } = settings;
    if (initialWindowSize !== undefined) demandWindow(outgoing.resize(initialWindowSize));
    // Before anything that they allow: the peer may hold itself to them only from there on.
    write.settingsAck();
    outgoing.goOn();
    isGreeted = true;
    listener.onSettings(settings.maxConcurrentStreams ?? null);
  }

  function takeReset(id: number, payload: Buffer): void {
    demandLength(payload, 4);
    const stream = known(id);
    if (stream === undefined) return;
    const code = payload.readUInt32BE();
    close(stream, { isRefused: code === errorCodes.refused, detail: `reset with code ${code}` });
  }

  function takePing(flag: number, id: number, payload: Buffer): void {
    demand(id === 0, "a PING of a stream");
    demandLength(payload, pingBytes);
    if ((flag & flags.ack) === 0) write.ping(payload, { isAnswer: true });
    // They are answered in their order, and what they say is nothing.
    else pings.shift()?.();
  }

  function takeGoAway(id: number, payload: Buffer): void {
    demand(id === 0, "GOAWAY of a stream");
    if (payload.length < 8) throw new ConnectionError(errorCodes.frameSize, "a cut off GOAWAY");
    left -= patience.forAllStreams;
    const last = payload.readUInt32BE(0) % 2 ** 31;
    const code = payload.readUInt32BE(4);
    const detail = `the push service said GOAWAY with code ${code}`;
    const isError = code !== errorCodes.none;
    end();
    listener.onGoAway(isError);
    for (const stream of streams.values()) {
      if (stream.id > last) close(stream, { isRefused: true, detail });
    }
    if (!isError) return;
    // What it has taken it may still answer (RFC 9113, section 6.8).
    failure ||= detail;
    closeWhenDone();
  }

  function takeWindowUpdate(id: number, payload: Buffer): void {
    demandLength(payload, 4);
    left -= patience.perWindowUpdate;
    const more = payload.readUInt32BE() % 2 ** 31;
    if (id === 0) {
      demand(more > 0, "a WINDOW_UPDATE of nothing");
      demandWindow(outgoing.growAll(more));
    } else {
      const stream = known(id);
      if (stream === undefined) return;
      if (more === 0) resetFor(stream, errorCodes.protocol, "a WINDOW_UPDATE of nothing");
      else if (!outgoing.grow(id, more)) {
        resetFor(stream, errorCodes.flowControl, "a window that is too large");
      }
    }
    outgoing.goOn();
  }

  function takeFrame(type: number, flag: number, id: number, payload: Buffer): void {
    if (isOver) return;
    if (!isGreeted) {
      const isGreeting = type === frameTypes.settings && (flag & flags.ack) === 0;
      demand(isGreeting, "something before SETTINGS");
    }
    left -= frameHeadBytes + payload.length;
    if (left < 0 || socket.writableLength > mostUnreadBytes) {
      throw new ConnectionError(errorCodes.calm, "more than anybody needs to say");
    }
    if (blocks.isPending()) {
      // Nothing may come in between (RFC 9113, section 4.3).
      demand(type === frameTypes.continuation, "a head that is interrupted");
      blocks.goOn(flag, id, payload);
      return;
    }
    switch (type) {
      case frameTypes.data:
        return takeData(flag, id, payload);
      case frameTypes.headers:
        known(id);
        return blocks.begin(flag, id, payload);
      case frameTypes.reset:
        return takeReset(id, payload);
      case frameTypes.settings:
        return takeSettings(flag, id, payload);
      case frameTypes.ping:
        return takePing(flag, id, payload);
      case frameTypes.goAway:
        return takeGoAway(id, payload);
      case frameTypes.windowUpdate:
        return takeWindowUpdate(id, payload);
      case frameTypes.priority:
        return demandLength(payload, 5);
      case frameTypes.pushPromise:
      case frameTypes.continuation:
        throw new ConnectionError(errorCodes.protocol, `a frame of type ${type}`);
      // Others have to be ignored (RFC 9113, section 4.1).
    }
  }

  const readFrames = createFrameReader(takeFrame);
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
  socket.on("drain", listener.onDrain);
  // No answer can come any more.
  socket.once("end", destroy);
  socket.once("close", () => {
    isOver = true;
    for (const stream of streams.values()) close(stream, { isRefused: false, detail: failure });
    listener.onClose();
  });
  write.preface();

  function takesRequests(): boolean {
    return !isOver && !isEnding && socket.writable && nextId <= lastStreamId;
  }

  return {
    request({ authority, path, headers, body }, streamListener) {
      const id = nextId;
      if (!takesRequests()) {
        // Not from within the call.
        queueMicrotask(() => streamListener.onClose({ isRefused: true, detail: "it was over" }));
        return id;
      }
      const isBodiless = body === null || body.length === 0;
      write.request(id, { authority, path, headers, endsStream: isBodiless });
      nextId += 2;
      left = Math.min(left + patience.perRequest, patience.most);
      streams.set(id, { id, listener: streamListener, hasHead: false, received: 0 });
      if (!isBodiless) outgoing.begin(id, body);
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
    takesRequests,
    isClogged: () => socket.writableNeedDrain,
    end,
    destroy,
  };
}

/**
 * Listens to streams that are closed. A table that a Map has outgrown is collected late, and until then it keeps what it held:
 * that is to be no request, or the old generation fills with them.
 */
const nobody: StreamListener = {
  onInterim: () => false,
  onHead() {},
  onData() {},
  onEnd() {},
  onClose() {},
};
const whole: StreamEnd = { isRefused: false, detail: "" };

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new ConnectionError(errorCodes.protocol, otherwise);
}

function demandLength(payload: Buffer, bytes: number): void {
  if (payload.length !== bytes) {
    throw new ConnectionError(errorCodes.frameSize, `a frame of ${payload.length} bytes`);
  }
}

function demandWindow(isPossible: boolean): void {
  if (!isPossible) throw new ConnectionError(errorCodes.flowControl, "a window that is too large");
}
