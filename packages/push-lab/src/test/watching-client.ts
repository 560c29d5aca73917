import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { request } from "node:https";
import { Agent } from "node:https";

import { createEventStream } from "../events.ts";
import type { OutgoingPush } from "./application-server.ts";

/** What a sender has seen of the answer to one push so far. */
export type Seen = {
  status: number | undefined;
  headers: Readonly<Record<string, unknown>>;
  body: string;
  /** Interim answers (1xx) before the answer, HTTP/2. */
  interim: number;
  /** The longest header of theirs. */
  longestHeader: number;
  /** Of the connection, since this push was sent; HTTP/1.1. */
  wireBytes: number;
  /** The answer came to its end. */
  isWhole: boolean;
  /** Nothing more will come. */
  isOver: boolean;
  /** The stream's error code, HTTP/2. */
  code: number | undefined;
};

export type WatchedPush = {
  readonly seen: Readonly<Seen>;
  /** Resolves when what was seen fits; asked now and whenever there is more. */
  readonly until: (fits: (seen: Readonly<Seen>) => boolean) => Promise<Readonly<Seen>>;
  readonly over: Promise<Readonly<Seen>>;
  /** Wants no more of it. */
  readonly cancel: () => void;
};

export type WatchingClient = {
  readonly send: (push: OutgoingPush) => WatchedPush;
  /** What the connection said, HTTP/2: each GOAWAY, and how many streams each SETTINGS allowed. */
  readonly goAways: readonly { readonly code: number; readonly lastStreamId: number }[];
  readonly allowedStreams: readonly number[];
  /** Resolves once the server has answered a ping, and so all that it said before is there; HTTP/2. */
  readonly ping: () => Promise<void>;
  /** Resolves when the connection is gone, with its error's code if it had one. */
  readonly gone: Promise<string | undefined>;
  readonly close: () => void;
};

/** Where a push service really is. */
export type WatchedPlace = {
  readonly origin: string;
  readonly port: number;
  readonly caPath: string;
};

function createWatched(cancel: () => void) {
  const seen: Seen = {
    status: undefined,
    headers: {},
    body: "",
    interim: 0,
    longestHeader: 0,
    wireBytes: 0,
    isWhole: false,
    isOver: false,
    code: undefined,
  };
  const events = createEventStream<undefined>();
  const until: WatchedPush["until"] = (fits) => events.until(() => fits(seen) && seen);
  const over = until(({ isOver }) => isOver);
  const watched: WatchedPush = { seen, until, over, cancel };
  const see = (more: Partial<Seen>): void => {
    Object.assign(seen, more);
    events.emit(undefined);
  };
  return { seen, see, watched };
}

/** One HTTP/2 connection. */
export function openHttp2(place: WatchedPlace): WatchingClient {
  const { hostname } = new URL(place.origin);
  const session = connect(place.origin, {
    ca: readFileSync(place.caPath),
    servername: hostname,
    host: "127.0.0.1",
    port: place.port,
  });
  const goAways: { code: number; lastStreamId: number }[] = [];
  const allowedStreams: number[] = [];
  let error: unknown;
  session.on("error", (cause) => {
    error = cause;
  });
  session.on("goaway", (code, lastStreamId) => goAways.push({ code, lastStreamId }));
  session.on("remoteSettings", ({ maxConcurrentStreams = -1 }) => {
    allowedStreams.push(maxConcurrentStreams);
  });
  const gone = new Promise<string | undefined>((resolve) => {
    session.once("close", () => {
      resolve(codeOf(error));
    });
  });

  return {
    goAways,
    allowedStreams,
    gone,
    ping: () =>
      new Promise((resolve, reject) => {
        session.ping((failed) => {
          if (failed) reject(failed);
          else resolve();
        });
      }),
    close: () => {
      session.destroy();
    },
    send: (push) => {
      const { host, pathname, search } = new URL(push.endpoint);
      const stream = session.request({
        ...push.headers,
        ":method": "POST",
        ":authority": host,
        ":path": `${pathname}${search}`,
      });
      const { seen, see, watched } = createWatched(() => {
        stream.close(8);
      });
      stream.setEncoding("utf8");
      stream.on("error", () => {});
      stream.on("headers", (headers) => {
        const lengths = Object.values(headers).map((value) => String(value).length);
        see({ interim: seen.interim + 1, longestHeader: Math.max(...lengths) });
      });
      stream.once("response", (headers) => {
        see({ status: Number(headers[":status"]), headers });
      });
      stream.on("data", (chunk: string) => {
        see({ body: seen.body + chunk });
      });
      stream.once("end", () => {
        see({ isWhole: seen.status !== undefined && !stream.aborted });
      });
      stream.once("close", () => {
        const code = stream.rstCode ?? 0;
        see({ isOver: true, code, isWhole: seen.isWhole && code === 0 });
      });
      stream.end(push.body);
      return watched;
    },
  };
}

/** HTTP/1.1, a connection for each push that is on its way. */
export function openHttp1(place: WatchedPlace): WatchingClient {
  const { hostname } = new URL(place.origin);
  const agent = new Agent({ keepAlive: true });
  let gone: (code: string | undefined) => void = () => {};

  return {
    goAways: [],
    allowedStreams: [],
    gone: new Promise((resolve) => {
      gone = resolve;
    }),
    ping: () => Promise.resolve(),
    close: () => {
      agent.destroy();
    },
    send: (push) => {
      const { host, pathname, search } = new URL(push.endpoint);
      const outgoing = request({
        host: "127.0.0.1",
        port: place.port,
        servername: hostname,
        ca: readFileSync(place.caPath),
        agent,
        method: "POST",
        path: `${pathname}${search}`,
        headers: { ...push.headers, host },
        // What is endless is not to be cut by Node's own limit.
        maxHeaderSize: 2 ** 30,
      });
      const { seen, see, watched } = createWatched(() => {
        outgoing.destroy();
      });
      outgoing.on("error", (error) => {
        gone(codeOf(error));
        see({ isOver: true });
      });
      outgoing.on("socket", (socket) => {
        socket.on("data", (chunk: Uint8Array) => {
          see({ wireBytes: seen.wireBytes + chunk.byteLength });
        });
        socket.once("close", () => {
          gone(undefined);
        });
      });
      outgoing.once("response", (response) => {
        see({ status: response.statusCode, headers: response.headers });
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          see({ body: seen.body + chunk });
        });
        response.on("error", () => {});
        response.once("end", () => {
          see({ isWhole: true });
        });
        response.once("close", () => {
          see({ isOver: true });
        });
      });
      outgoing.end(push.body);
      return watched;
    },
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
