import type { TLSSocket } from "node:tls";
import { readAnswer } from "./answer.ts";
import type { StreamEnd } from "./http2/port.ts";
import { startSession } from "./http2/session.ts";
import { broken, type Broken, type Line, type LineRequest, type Running } from "./line.ts";

export type Http2LineOptions = {
  /** The endpoint's host, and port unless it is 443: `:authority`, also where a route leads elsewhere. */
  readonly authority: string;
  readonly onChange: () => void;
  /** How long the answer to a PING may take, which is sent when a request got no answer. */
  readonly pingMs: number;
  /** How long the peer may take to close its side when the session is over, and to answer what it has taken when it has failed. */
  readonly lingerMs: number;
};

/** Streams at once even where the push service allows more. */
const mostStreams = 256;

/** How long the rest of a body may take of which enough has come. */
const drainMs = 2_000;

/**
 * Opens an HTTP/2 session (RFC 9113) on a connection and waits for the peer's SETTINGS, which say how many requests it
 * takes at once. Never rejects.
 * @param signal ends the attempt, which then counts as `connect-timed-out`
 */
export async function openHttp2Line(
  socket: TLSSocket,
  options: Http2LineOptions,
  signal: AbortSignal,
): Promise<{ kind: "open"; line: Line } | Broken> {
  const { line, greeted } = http2Line(socket, options);
  const abort = (): void => {
    line.destroy("connect-timed-out");
  };
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  await Promise.race([greeted, line.closed]);
  signal.removeEventListener("abort", abort);
  if (signal.aborted) return broken("connect-timed-out", "no SETTINGS came");
  if (line.ended()) return broken("connect-failed", "the session ended before SETTINGS came");
  return { kind: "open", line };
}

function http2Line(
  socket: TLSSocket,
  { authority, onChange, pingMs, lingerMs }: Http2LineOptions,
): { line: Line; greeted: Promise<void> } {
  let allowed = 0;
  let busy = 0;
  let isGreeted = false;
  let isClosed = false;
  let destroyedFor: Broken["reason"] | null = null;
  let pingTimer: NodeJS.Timeout | undefined;
  let lingerTimer: NodeJS.Timeout | undefined;
  const greeted = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  const session = startSession(socket, {
    onSettings(maxConcurrentStreams) {
      if (maxConcurrentStreams !== null) allowed = Math.min(maxConcurrentStreams, mostStreams);
      // Nothing said at the start means that it does not matter to the peer.
      else if (!isGreeted) allowed = mostStreams;
      isGreeted = true;
      greeted.resolve();
      onChange();
    },
    onGoAway(isError) {
      if (isError) leaveInTime();
      else linger();
      onChange();
    },
    onDrain: onChange,
    onClose() {
      isClosed = true;
      clearTimeout(pingTimer);
      clearTimeout(lingerTimer);
      closed.resolve();
      onChange();
    },
  });

  function end(): void {
    session.end();
    linger();
  }

  /** A session that is over waits for the peer to close its side, which not every peer does. */
  function linger(): void {
    if (session.takesRequests() || busy > 0 || isClosed) return;
    leaveInTime();
  }

  function leaveInTime(): void {
    lingerTimer ??= setTimeout(session.destroy, lingerMs).unref();
  }

  function destroy(reason: Broken["reason"]): void {
    destroyedFor ??= reason;
    session.destroy();
  }

  /** A silent stream may be the service's slowness or a dead connection: only the latter ends the session. */
  function ping(): void {
    if (pingTimer !== undefined || socket.destroyed) return;
    pingTimer = setTimeout(destroy, pingMs, "stream-broken");
    session.ping(() => {
      clearTimeout(pingTimer);
      pingTimer = undefined;
    });
  }

  function start(request: LineRequest): Running {
    let closedFor: StreamEnd | null = null;
    let drainTimer: NodeJS.Timeout | undefined;
    const answer = readAnswer({
      whyBroken: () => {
        const detail = closedFor?.detail;
        if (destroyedFor !== null) return broken(destroyedFor, detail);
        if (closedFor === null) return broken("answer-timed-out");
        return broken(closedFor.isRefused ? "stream-refused" : "stream-broken", detail);
      },
      // Servers suspect those who reset many streams, and most bodies end soon.
      onEnough: () => {
        drainTimer = setTimeout(session.reset, drainMs, stream).unref();
      },
    });
    const stream = session.request(
      { authority, ...request },
      {
        onInterim: answer.interim,
        onHead: answer.begin,
        onData: answer.data,
        onEnd: answer.finish,
        onClose(streamEnd) {
          closedFor = streamEnd;
          busy -= 1;
          answer.finish();
          clearTimeout(drainTimer);
          linger();
          onChange();
        },
      },
    );
    busy += 1;
    return {
      done: answer.done,
      abandon: () => {
        if (!answer.hasBegun()) ping();
        answer.finish();
        session.reset(stream);
      },
    };
  }

  const line: Line = {
    start,
    sideBySide: 1,
    free: () => (session.takesRequests() && !session.isClogged() ? Math.max(0, allowed - busy) : 0),
    ended: () => !session.takesRequests(),
    end,
    destroy,
    closed: closed.promise,
  };
  return { line, greeted: greeted.promise };
}
