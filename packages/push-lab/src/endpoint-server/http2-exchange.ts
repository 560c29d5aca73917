import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from "node:http2";

import type { LastStream } from "../faults/fault.ts";
import type { Answer } from "../push-service/service-rules.ts";
import { type Exchange, filler, hasNoBody } from "./exchange.ts";
import { plainHeaders } from "./plain-headers.ts";

/** What one HTTP/2 connection has said about its streams. */
export type Http2Connection = {
  readonly session: ServerHttp2Session;
  /** How many streams it was last told that it may have open; it may not have acknowledged it yet. */
  maxConcurrentStreams: number;
  /** Streams after this one are not looked at. */
  lastStreamId: number;
  readonly cut: () => void;
};

const refusedStream = 7;

/** HTTP/2 forbids them (RFC 9113, section 8.2.2). */
const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

export function http2Exchange(
  stream: ServerHttp2Stream,
  incoming: IncomingHttpHeaders,
  { body, connection }: { body: Uint8Array; connection: Http2Connection },
): Exchange {
  const { session } = connection;
  const id = stream.id ?? 0;
  const headers = plainHeaders(incoming);
  const reset = (code: number): void => {
    stream.close(code);
  };
  const isGone = (): boolean => stream.destroyed || stream.closed || id > connection.lastStreamId;

  return {
    request: {
      method: incoming[":method"] ?? "",
      authority: incoming[":authority"] ?? headers["host"] ?? "",
      path: incoming[":path"] ?? "",
      headers,
      body,
    },
    isGone,
    answer: (answer) => {
      const endStream = hasNoBody(answer);
      stream.respond(headOf(answer), { endStream });
      if (!endStream) stream.end(answer.body);
    },
    begin: (answer) => {
      // Node ends the body of a stream that is reset, and an end that went out first would make the reset a good answer.
      // Trailers that are waited for keep it from going out.
      stream.respond(headOf(answer), { waitForTrailers: true });
      return stream;
    },
    sendHeadersForEver: () => {
      sendInterimAnswers(stream, session);
    },
    reset,
    limitStreams: (maxConcurrentStreams) => {
      if (connection.maxConcurrentStreams === maxConcurrentStreams) return;
      connection.maxConcurrentStreams = maxConcurrentStreams;
      session.settings({ maxConcurrentStreams });
    },
    goAway: (code, last) => {
      const lastStreamId = lastOf(last, id);
      connection.lastStreamId = Math.min(connection.lastStreamId, lastStreamId);
      // Node cannot write a last stream of 0: the connection's first stream is named, and then refused by itself.
      session.goaway(code, Math.max(connection.lastStreamId, 1));
      if (connection.lastStreamId < 1) reset(refusedStream);
      // The connection ends with the streams that are still looked at. Not before the GOAWAY is out: this sends another,
      // whose last stream must not be a later one (RFC 9113, section 6.8).
      stream.once("close", () => {
        session.close();
      });
      return !isGone();
    },
    cutConnection: connection.cut,
  };
}

function lastOf(last: LastStream, id: number): number {
  if (last === "this") return id;
  return last === "previous" ? id - 2 : last;
}

function headOf({ status, headers = {} }: Answer): Record<string, string | number> {
  const head: Record<string, string | number> = { ":status": status };
  for (const [name, value] of Object.entries(headers))
    if (!connectionHeaders.has(name.toLowerCase())) head[name] = value;
  return head;
}

/**
 * Each interim answer is a HEADERS frame with its CONTINUATION. Headers know no flow control, so a ping is sent after each
 * few: its answer says that the other side has read them.
 */
function sendInterimAnswers(stream: ServerHttp2Stream, session: ServerHttp2Session): void {
  let sent = 0;
  const sendSome = (): void => {
    if (stream.destroyed || stream.closed || session.destroyed) return;
    for (let more = 0; more < 4; more += 1) {
      sent += 1;
      stream.additionalHeaders({ ":status": 103, "x-filler": `${sent} ${filler}` });
    }
    session.ping((error) => {
      if (!error) setImmediate(sendSome);
    });
  };
  sendSome();
}
