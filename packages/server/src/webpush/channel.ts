import type { ConnectOptions } from "./connect.ts";
import type { PushTarget } from "./endpoint.ts";
import {
  broken,
  type Broken,
  type Exchange,
  type Line,
  type LineRequest,
  type Running,
} from "./line.ts";
import { openLine, type Opened, type Opening } from "./open-line.ts";
import { createReconnect } from "./reconnect.ts";

/** All in milliseconds. */
export type Deadlines = {
  /** For name, TCP, TLS and, in HTTP/2, the peer's SETTINGS. */
  readonly connectMs: number;
  /**
   * For a whole request: waiting for a connection and a free stream, sending, the answer's end. The last quarter is for
   * the answer alone.
   */
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
  /**
   * Always ends within the request deadline. Rejects only if a header or the path cannot be written.
   * @param id see `withdraw`
   */
  readonly exchange: (request: LineRequest, id: number | undefined) => Promise<Exchange>;
  /** Requests with these ids that have not begun never will; those under way end by themselves, and never go again. */
  readonly withdraw: (ids: ReadonlySet<number>) => void;
  /** Ends what waits, lets what is under way end, closes. Repeatable. */
  readonly close: () => Promise<void>;
};

type Waiting = {
  readonly id: number | undefined;
  readonly request: LineRequest;
  readonly settle: (exchange: Exchange) => void;
  readonly fail: (error: unknown) => void;
  /** The line that was open when it came, or that was opened for it. */
  first: Line | null;
  running: Running | null;
  /** Whether a line gave it back unprocessed already. */
  refused: boolean;
  /** Whether it is too late to begin. */
  late: boolean;
};

/**
 * A push that has not begun by this share of its deadline never begins. The push service would take it, and its answer
 * might come too late: then it would go a second time.
 */
const latestStart = 0.75;

/**
 * Lines open at once to one push origin, also those that only let their last requests end: a peer that says GOAWAY
 * after each request and never answers would otherwise collect connections.
 */
const mostLines = 8;

export function createChannel(target: PushTarget, options: ChannelOptions): Channel {
  const { deadlines, mostWaiting, onEmpty, ...connectOptions } = options;
  /** First come, first served. */
  const waiting = new Set<Waiting>();
  /** Also those that have ended and are not closed yet. */
  const lines = new Set<Line>();
  /** Lines that gave no answer yet. */
  const unproven = new Set<Line>();
  /** Lines that no request was started on. */
  const unused = new Set<Line>();
  const reconnect = createReconnect(pump);
  /** Ids of requests that were withdrawn, for as long as one of them may be under way. */
  const withdrawn = new Set<number | undefined>();
  let opening: Opening | null = null;
  /** Requests that a line has: counted, since a table of them keeps what it held until it is collected, late. */
  let underWay = 0;
  let idleTimer: NodeJS.Timeout | null = null;
  let closing: Promise<void> | null = null;

  /** Hands waiting requests to lines as long as one takes them; opens a line where there are too few. */
  function pump(): void {
    for (const each of waiting) {
      const free = freeLine();
      if (free === null) {
        const usable = usableLines();
        if (usable.length < (usable[0]?.sideBySide ?? 1)) open();
        return;
      }
      start(each, free);
    }
    rest();
  }

  function usableLines(): Line[] {
    return [...lines].filter((line) => !line.ended());
  }

  function freeLine(): Line | null {
    for (const line of lines) {
      if (!line.ended() && line.free() > 0) return line;
    }
    return null;
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
    underWay += 1;
    void each.running.done.then((result) => {
      underWay -= 1;
      if (result.kind === "answered") {
        unproven.delete(line);
        reconnect.forget();
      }
      if (!isRefused(result)) each.settle(result);
      else if (withdrawn.has(each.id)) each.settle(broken("withdrawn"));
      else if (each.refused || closing !== null) each.settle(result);
      else if (each.late) each.settle(broken("queue-timed-out"));
      else goAgain(each);
      pump();
    });
  }

  /**
   * What was refused went through no hands at all, so that even a POST may be sent again (RFC 9113, section 8.7): once,
   * at once, under the same deadline. What is refused twice or late fails, and the caller may send it later.
   */
  function goAgain(each: Waiting): void {
    each.refused = true;
    each.running = null;
    waiting.add(each);
  }

  function open(): void {
    if (opening !== null || !reconnect.allowed() || lines.size >= mostLines) return;
    const { connectMs, closeMs } = deadlines;
    opening = openLine(target, {
      ...connectOptions,
      connectMs,
      lingerMs: closeMs,
      onChange: pump,
    });
    void opening.done.then(adopt);
  }

  function adopt(result: Opened): void {
    opening = null;
    if (result.kind === "open") watch(result.line);
    else {
      reconnect.failed();
      if ([...lines].every((line) => line.ended())) failWaiting(result);
    }
    pump();
  }

  function watch(line: Line): void {
    lines.add(line);
    unproven.add(line);
    unused.add(line);
    for (const each of waiting) each.first ??= line;
    void line.closed.then(() => {
      lines.delete(line);
      if (unproven.delete(line)) reconnect.failed();
      // To let them wait for the next one would go round and round with a peer that hangs up on everybody.
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

  /** Where nothing waits: closes what has been idle for long, and reports when nothing is left. */
  function rest(): void {
    if (opening !== null || closing !== null || underWay > 0) return;
    if (lines.size === 0 && !reconnect.inDoubt()) {
      stopIdling();
      onEmpty();
    } else {
      idleTimer ??= setTimeout(endIdle, deadlines.idleMs).unref();
    }
  }

  function endIdle(): void {
    reconnect.forget();
    for (const line of lines) leave(line);
    rest();
  }

  function leave(line: Line): void {
    // It may have carried nothing, but it is not the peer that hangs up.
    unproven.delete(line);
    unused.delete(line);
    line.end();
  }

  /**
   * A peer that allows no stream may have forgotten this connection and serve a new one. A push leaves only its
   * first line, so that a peer which never allows a stream sees one new connection in a deadline.
   */
  function timeOut(each: Waiting): void {
    each.settle(broken("queue-timed-out"));
    if (each.first !== null && underWay === 0) leave(each.first);
    pump();
  }

  function stopIdling(): void {
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
  }

  async function closeAll(): Promise<void> {
    failWaiting(broken("sender-closed"));
    reconnect.forget();
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
    exchange(request, id) {
      if (closing !== null) return Promise.resolve(broken("sender-closed"));
      if (waiting.size >= mostWaiting) return Promise.resolve(broken("queue-full"));
      stopIdling();
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(each);
        };
        const each: Waiting = {
          id,
          request,
          settle: (exchange) => {
            end();
            resolve(exchange);
          },
          fail: (error) => {
            end();
            reject(error);
          },
          first: usableLines()[0] ?? null,
          running: null,
          refused: false,
          late: false,
        };
        const startMs = deadlines.requestMs * latestStart;
        let timer = setTimeout(() => {
          each.late = true;
          if (each.running === null) timeOut(each);
          else timer = setTimeout(each.running.abandon, deadlines.requestMs - startMs);
        }, startMs);
        waiting.add(each);
        pump();
      });
    },

    withdraw(ids) {
      for (const id of ids) withdrawn.add(id);
      for (const each of waiting) if (withdrawn.has(each.id)) each.settle(broken("withdrawn"));
      // What is under way now has ended by then.
      setTimeout(() => {
        for (const id of ids) withdrawn.delete(id);
      }, deadlines.requestMs).unref();
      // Where the peer allows no stream, nothing else may happen here any more.
      pump();
    },

    close() {
      stopIdling();
      return (closing ??= closeAll());
    },
  };
}

function isRefused(result: Exchange): boolean {
  return result.kind === "broken" && result.reason === "stream-refused";
}
