import { connect, type ConnectOptions } from "./connect.ts";
import type { PushTarget } from "./endpoint.ts";
import { http1Line } from "./http1-line.ts";
import { openHttp2Line } from "./http2-line.ts";
import {
  broken,
  type Broken,
  type Exchange,
  type Line,
  type LineRequest,
  type Running,
} from "./line.ts";

/** All in milliseconds. */
export type Deadlines = {
  /** For name, TCP, TLS and, in HTTP/2, the peer's SETTINGS. */
  readonly connectMs: number;
  /** For a whole request: waiting for a connection and a free stream, sending, the answer's end. */
  readonly requestMs: number;
  /** A connection that carried nothing for so long is closed. */
  readonly idleMs: number;
  /** How long `close` lets requests end by themselves. */
  readonly closeMs: number;
};

export type ChannelOptions = ConnectOptions & {
  readonly deadlines: Deadlines;
  /** Requests that may wait; more are turned away as `queue-full`. */
  readonly mostWaiting: number;
  /** Called when nothing is open, under way or waiting any more. */
  readonly onEmpty: () => void;
};

/** The way to one push origin: connections that come and go, and the requests that wait for one. */
export type Channel = {
  /** Always ends within the request deadline. Rejects only if a header or the path cannot be written. */
  readonly exchange: (request: LineRequest) => Promise<Exchange>;
  /** Ends what waits, lets what is under way end, closes. Repeatable. */
  readonly close: () => Promise<void>;
};

type Waiting = {
  readonly request: LineRequest;
  readonly settle: (exchange: Exchange) => void;
  readonly fail: (error: unknown) => void;
  running: Running | null;
};

export function createChannel(target: PushTarget, options: ChannelOptions): Channel {
  const { deadlines, mostWaiting, onEmpty } = options;
  /** First come, first served. */
  const waiting = new Set<Waiting>();
  /** Also those that have ended and are not closed yet. */
  const lines = new Set<Line>();
  /** Lines that no request was started on. */
  const unused = new Set<Line>();
  let opening: { readonly abort: () => void; readonly done: Promise<void> } | null = null;
  let idleTimer: NodeJS.Timeout | null = null;
  let closing: Promise<void> | null = null;

  /** Hands waiting requests to lines as long as one takes them; opens a line where there are too few. */
  function pump(): void {
    for (const each of waiting) {
      const usable = [...lines].filter((line) => !line.ended());
      const free = usable.find((line) => line.free() > 0);
      if (free === undefined) {
        if (opening === null && usable.length < (usable[0]?.sideBySide ?? 1)) open();
        return;
      }
      start(each, free);
    }
    rest();
  }

  function start(each: Waiting, line: Line): void {
    waiting.delete(each);
    unused.delete(line);
    try {
      each.running = line.start(each.request);
    } catch (error) {
      each.fail(error);
      return;
    }
    void each.running.done.then(each.settle);
  }

  function open(): void {
    const attempt = new AbortController();
    const timer = setTimeout(() => {
      attempt.abort();
    }, deadlines.connectMs);
    const done = openLine(target, options, { signal: attempt.signal, onChange: pump })
      // What cannot even be tried: a route to a port that does not exist, a CA certificate that is none.
      .catch((error: unknown) => broken("connect-failed", String(error)))
      .then((result) => {
        clearTimeout(timer);
        opening = null;
        if (result.kind === "open") adopt(result.line);
        else if ([...lines].every((line) => line.ended())) failWaiting(result);
        pump();
      });
    opening = {
      abort: () => {
        attempt.abort();
      },
      done,
    };
  }

  function adopt(line: Line): void {
    lines.add(line);
    unused.add(line);
    void line.closed.then(() => {
      lines.delete(line);
      // Opening the next one at once would go round and round with a peer that hangs up on everybody.
      if (unused.delete(line)) {
        failWaiting(broken("connect-failed", "the push service hung up before any request"));
      }
      pump();
    });
    if (closing !== null) line.destroy("sender-closed");
  }

  function failWaiting(result: Broken): void {
    for (const each of waiting) each.settle(result);
  }

  /** Nothing waits: closes what has been idle for long, and reports when nothing is left. */
  function rest(): void {
    if (opening !== null || closing !== null) return;
    if (lines.size === 0) {
      stopIdling();
      onEmpty();
    } else if (idleTimer === null && [...lines].every((line) => line.busy() === 0)) {
      idleTimer = setTimeout(endIdle, deadlines.idleMs).unref();
    }
  }

  function endIdle(): void {
    for (const line of lines) {
      // It may have carried nothing, but it is not the peer that hangs up.
      unused.delete(line);
      line.end();
    }
  }

  function stopIdling(): void {
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
  }

  async function closeAll(): Promise<void> {
    failWaiting(broken("sender-closed"));
    opening?.abort();
    for (const line of lines) line.end();
    const timer = setTimeout(() => {
      for (const line of lines) line.destroy("sender-closed");
    }, deadlines.closeMs);
    await opening?.done;
    await Promise.all([...lines].map((line) => line.closed));
    clearTimeout(timer);
  }

  return {
    exchange(request) {
      if (closing !== null) return Promise.resolve(broken("sender-closed"));
      if (waiting.size >= mostWaiting) return Promise.resolve(broken("queue-full"));
      stopIdling();
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(each);
        };
        const each: Waiting = {
          request,
          settle: (exchange) => {
            end();
            resolve(exchange);
          },
          fail: (error) => {
            end();
            reject(error);
          },
          running: null,
        };
        const timer = setTimeout(() => {
          if (each.running === null) {
            each.settle(broken("queue-timed-out"));
            // No line reports a change after this: the peer allows no stream, and may never do.
            pump();
          } else {
            each.running.abandon();
          }
        }, deadlines.requestMs);
        waiting.add(each);
        pump();
      });
    },

    close() {
      stopIdling();
      return (closing ??= closeAll());
    },
  };
}

async function openLine(
  target: PushTarget,
  options: ChannelOptions,
  { signal, onChange }: { signal: AbortSignal; onChange: () => void },
): Promise<{ kind: "open"; line: Line } | Broken> {
  const connected = await connect(target, options, signal);
  if (connected.kind === "broken") return connected;
  const { socket, protocol } = connected;
  const authority = target.origin.slice("https://".length);
  if (protocol === "http/1.1") {
    return { kind: "open", line: http1Line(socket, authority, onChange) };
  }
  const { connectMs, closeMs } = options.deadlines;
  const http2Options = { authority, onChange, pingMs: connectMs, lingerMs: closeMs };
  return await openHttp2Line(socket, http2Options, signal);
}
