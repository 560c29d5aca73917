import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { CommandError } from "../command-error.ts";
import { addressBlock } from "../access/sessions/address-block.ts";
import type { Config } from "../config.ts";
import { isNearby } from "./client-address.ts";
import type { FloodLog } from "./flood-log.ts";
import { closeIdleConnections } from "./idle-connections.ts";
import { forOldHttp, prepareForOldHttp, type Fetch } from "./old-http.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { SlicedAnswer } from "./sliced-answer.ts";

/** What strangers may use up of the server before a request of theirs is read. Times are milliseconds. */
export type ListenLimits = {
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  headersMs: number;
  /** The same, to the end of the body. A body is 300 kB at most, and a client that needs longer holds a socket, nothing else. */
  requestMs: number;
  /** Until a TLS handshake is done. */
  handshakeMs: number;
  /** Between two requests. Longer than proxies keep a connection (nginx 60 s), so that it is they who close it. */
  keepAliveMs: number;
  /** In which nothing moves, such as an answer that nobody reads. Event streams send something every 15 s. */
  idleMs: number;
  /** How often the server checks the limits for headers, bodies and idle connections. */
  checkMs: number;
  headersBytes: number;
  connections: number;
  /** Of IPv6, for each /64. */
  connectionsPerAddress: number;
  /** Who may have more than that: proxies, in whose connections all visitors come. */
  mayHoldMany(address: string): boolean;
};

const defaultLimits: ListenLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  handshakeMs: 10_000,
  keepAliveMs: 65_000,
  idleMs: 90_000,
  checkMs: 2_000,
  // How many headers there are is bounded by this alone: Node leaves out what is above a count, and the last of them
  // may be the one that a proxy has added.
  headersBytes: 16 * 1024,
  connections: 10_000,
  connectionsPerAddress: 256,
  mayHoldMany: isNearby,
};

export type Listener = {
  /** The port that is really listened on. */
  port: number;
  /** Answers requests from now on. To be called at once: a request that comes before hangs. */
  serve(fetch: Fetch): void;
  /** Accepts nothing more, lets what is being answered end for at most `graceMs`, closes. Repeatable. */
  close(graceMs: number): Promise<void>;
};

/**
 * Listens, by http or, with a certificate, by https. What breaks the protocol or its limits is answered by Node itself
 * (400, 408, 413, 431, without a body), and its connection closed.
 * @param parts.limits instead of the usual ones
 * @param parts.now the clock of `idleMs`, in milliseconds
 * @throws CommandError `port-in-use`, `address-unavailable`
 */
export async function listen(
  config: Pick<Config, "host" | "port" | "tls">,
  parts: { limits?: Partial<ListenLimits>; tellOfFlood?: FloodLog; now?: () => number } = {},
): Promise<Listener> {
  const limits = { ...defaultLimits, ...parts.limits };
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headersBytes,
  };
  const server: Server =
    config.tls === null
      ? createHttpServer(options)
      : createHttpsServer({
          ...options,
          handshakeTimeout: limits.handshakeMs,
          ServerResponse: SlicedAnswer,
          ...config.tls,
        });
  closeIdleConnections(server, {
    event: config.tls === null ? "connection" : "secureConnection",
    idleMs: limits.idleMs,
    checkMs: limits.checkMs,
    now: parts.now ?? (() => performance.now()),
  });
  const tellOfFlood = parts.tellOfFlood ?? (() => undefined);
  const sockets = holdSockets(server, limits, tellOfFlood);
  const refuse = (socket: Socket) => {
    const source = addressBlock(socket.remoteAddress ?? "");
    socket.destroy();
    tellOfFlood(`requests ${source}`, { address: source }, "too many requests at once");
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, config)));
    server.listen(config.port, config.host, resolve);
  });
  const address = server.address();
  let closed: Promise<void> | undefined;
  return {
    port: typeof address === "object" && address !== null ? address.port : config.port,
    serve: (fetch) => {
      const answer = getRequestListener(forOldHttp(fetch));
      server.on(
        "request",
        oneAtATime((incoming, outgoing) => {
          prepareForOldHttp(incoming, outgoing);
          if (hasTwoHosts(incoming) || hasDotSegment(incoming))
            outgoing.writeHead(400, { Connection: "close" }).end();
          else void answer(incoming, outgoing);
        }, refuse),
      );
    },
    close: (graceMs) => (closed ??= closeServer(server, sockets, graceMs)),
  };
}

/** Node uses the first Host header. A proxy in front may use the last, so such a request is refused (RFC 9112, section 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}

/**
 * Whether the path has a segment `.` or `..`, also with a backslash or percent-encoded (WHATWG URL, "double-dot URL path segment").
 * Browsers resolve these before they ask. A proxy may resolve them otherwise than Sineta, and hand on a path that it keeps for itself.
 */
function hasDotSegment({ url = "" }: IncomingMessage): boolean {
  const [path = ""] = url.split(/[?#]/, 1);
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/** @returns the sockets that are open, which the server keeps up to date */
function holdSockets(
  server: Server,
  limits: Pick<ListenLimits, "connections" | "connectionsPerAddress" | "mayHoldMany">,
  tellOfFlood: FloodLog,
): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const countBySource = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on("drop", () => {
    tellOfFlood("connections", { connections: limits.connections }, "too many connections");
  });
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const source = addressBlock(address);
    const count = (countBySource.get(source) ?? 0) + 1;
    if (count > limits.connectionsPerAddress && !limits.mayHoldMany(address)) {
      socket.destroy();
      tellOfFlood(`connections ${source}`, { address: source }, "too many connections");
      return;
    }
    countBySource.set(source, count);
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      const left = (countBySource.get(source) ?? 1) - 1;
      if (left === 0) countBySource.delete(source);
      else countBySource.set(source, left);
    });
  });
  return sockets;
}

async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const hard = setTimeout(() => {
    // closeAllConnections() does not know those that are still in their TLS handshake.
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await new Promise<void>((resolve) => {
    // Also closes the connections on which no request is being answered.
    server.close(() => resolve());
  });
  clearTimeout(hard);
}

/** What a command says of an error of listen(2). */
export function listenError(error: Error, { host, port }: Pick<Config, "host" | "port">): Error {
  switch ("code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return new CommandError(
        "port-in-use",
        `Port ${port} on ${host} is taken by another program: stop it, or set SINETA_PORT to another port.`,
        { cause: error },
      );
    case "EACCES":
      return new CommandError(
        "address-unavailable",
        port < 1024
          ? `Port ${port} is not open to this user: give the process the capability CAP_NET_BIND_SERVICE, or set ` +
              "SINETA_PORT to a port from 1024 on."
          : `Port ${port} is not open to this user: set SINETA_PORT to another port.`,
        { cause: error },
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new CommandError(
        "address-unavailable",
        `${host} is no address of this machine: set SINETA_HOST to one.`,
        { cause: error },
      );
    default:
      return error;
  }
}
