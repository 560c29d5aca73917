import {
  connect as startSession,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import { readAnswer } from "./answer.ts";
import { broken, type Broken, type Line, type Running } from "./line.ts";

export type Http2LineOptions = {
  /** The endpoint's host, and port unless it is 443: `:authority`, also where a route leads elsewhere. */
  readonly authority: string;
  readonly onChange: () => void;
  /** How long the answer to a PING may take, which is sent when a request got no answer. */
  readonly pingMs: number;
  /** How long the peer may take to close its side when the session is over. */
  readonly lingerMs: number;
};

/** As much as Node takes over HTTP/1.1, where its own default is four times that: a flood of headers is to cost little. */
const headerListBytes = 16_384;

/** Streams at once even where the push service allows more. */
const mostStreams = 256;

/**
 * Opens an HTTP/2 session (RFC 9113) on a connection and waits for the peer's SETTINGS: until they are there, Node
 * assumes that 100 streams are allowed, whatever the peer will say. Never rejects.
 * @param signal ends the attempt, which then counts as `connect-timed-out`
 */
export async function openHttp2Line(
  socket: TLSSocket,
  options: Http2LineOptions,
  signal: AbortSignal,
): Promise<{ kind: "open"; line: Line } | Broken> {
  const session = startSession(`https://${options.authority}`, {
    createConnection: () => socket,
    settings: { enablePush: false, maxHeaderListSize: headerListBytes },
  });
  const line = http2Line(session, socket, options);
  const settings = new Promise<void>((resolve) => {
    session.once("remoteSettings", () => {
      resolve();
    });
  });
  const abort = (): void => {
    line.destroy("connect-timed-out");
  };
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  await Promise.race([settings, line.closed]);
  signal.removeEventListener("abort", abort);
  if (signal.aborted) return broken("connect-timed-out", "no SETTINGS came");
  if (line.ended()) return broken("connect-failed", "the session ended before SETTINGS came");
  return { kind: "open", line };
}

function http2Line(
  session: ClientHttp2Session,
  socket: TLSSocket,
  { authority, onChange, pingMs, lingerMs }: Http2LineOptions,
): Line {
  let allowed = 0;
  let busy = 0;
  /** From GOAWAY: the peer has looked at no stream beyond this one (RFC 9113, section 6.8). */
  let lastSeenStream = Number.POSITIVE_INFINITY;
  let ended = false;
  let destroyedFor: Broken["reason"] | null = null;
  let pingTimer: NodeJS.Timeout | undefined;
  let lingerTimer: NodeJS.Timeout | undefined;

  // Every error also ends the session and its streams, which is where it is acted upon.
  session.on("error", () => undefined);
  session.on("remoteSettings", ({ maxConcurrentStreams }) => {
    allowed = Math.min(maxConcurrentStreams ?? mostStreams, mostStreams);
    onChange();
  });
  session.on("goaway", (_code, lastStreamId) => {
    lastSeenStream = Math.min(lastSeenStream, lastStreamId);
    end();
    onChange();
  });
  const closed = new Promise<void>((resolve) => {
    session.once("close", () => {
      clearTimeout(pingTimer);
      clearTimeout(lingerTimer);
      resolve();
      onChange();
    });
  });

  function hasEnded(): boolean {
    return ended || session.closed || session.destroyed;
  }

  function end(): void {
    ended = true;
    session.close();
    linger();
  }

  /** A session that is over waits for the peer to close its side, which not every peer does. */
  function linger(): void {
    if (!hasEnded() || busy > 0) return;
    lingerTimer ??= setTimeout(destroy, lingerMs, "stream-broken").unref();
  }

  function destroy(reason: Broken["reason"]): void {
    destroyedFor ??= reason;
    session.destroy();
    // While it waits for the peer, the session counts as destroyed already and holds on to the socket.
    socket.destroy();
  }

  /** A silent stream may be the service's slowness or a dead connection: only the latter ends the session. */
  function ping(): void {
    if (pingTimer !== undefined || session.destroyed) return;
    pingTimer = setTimeout(destroy, pingMs, "stream-broken");
    session.ping(() => {
      clearTimeout(pingTimer);
      pingTimer = undefined;
    });
  }

  function follow(stream: ClientHttp2Stream): Running {
    let failure: Error | null = null;
    let abandoned = false;
    const answer = readAnswer({
      whyBroken: () => {
        const detail = failure?.message;
        if (destroyedFor !== null) return broken(destroyedFor, detail);
        if (abandoned) return broken("answer-timed-out", detail);
        return broken(
          wasRefused(stream, lastSeenStream) ? "stream-refused" : "stream-broken",
          detail,
        );
      },
      onEnough: reset,
    });

    function reset(): void {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
    }

    stream.on("headers", () => {
      const tooMany = answer.interim();
      if (tooMany !== null) stream.destroy(tooMany);
    });
    stream.on("response", (headers) => {
      answer.begin(Number(headers[":status"]), headers, stream);
    });
    stream.on("error", (error: Error) => {
      failure = error;
    });
    stream.on("close", () => {
      busy -= 1;
      answer.finish();
      // It never got an id: the session has none left.
      if (stream.id === undefined) end();
      linger();
      onChange();
    });
    return {
      done: answer.done,
      abandon: () => {
        abandoned = true;
        if (!answer.hasBegun()) ping();
        answer.finish();
        reset();
      },
    };
  }

  return {
    start: ({ path, headers, body }) => {
      // A list costs less than an object, which Node would make one of.
      const list = [":method", "POST", ":scheme", "https", ":authority", authority, ":path", path];
      for (const name in headers) list.push(name, headers[name] ?? "");
      const stream = session.request(list, { endStream: body === null });
      busy += 1;
      if (body !== null) stream.end(body);
      return follow(stream);
    },
    sideBySide: 1,
    free: () => (hasEnded() ? 0 : Math.max(0, allowed - busy)),
    ended: hasEnded,
    end,
    destroy,
    closed,
  };
}

/** Whether it is certain that the push service did nothing with the stream (RFC 9113, sections 6.8 and 8.7). */
function wasRefused({ id, rstCode }: ClientHttp2Stream, lastSeenStream: number): boolean {
  return rstCode === constants.NGHTTP2_REFUSED_STREAM || id === undefined || id > lastSeenStream;
}
