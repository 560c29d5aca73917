import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { CommandError } from "../command-error.ts";
import type { Config } from "../config.ts";

export type Listener = {
  /** The port that is really listened on. */
  port: number;
  /** Answers requests from now on. To be called at once: a request that comes before hangs. */
  serve(fetch: (request: Request) => Response | Promise<Response>): void;
  /** Accepts nothing more, lets what is being answered end for at most `graceMs`, closes. Repeatable. */
  close(graceMs: number): Promise<void>;
};

/**
 * Listens, by http or, with a certificate, by https.
 * @throws CommandError `port-in-use`, `address-unavailable`
 */
export async function listen(config: Pick<Config, "host" | "port" | "tls">): Promise<Listener> {
  // A body is 128 KiB at most: whoever needs longer than this to send one holds a socket, nothing else.
  const limits = { requestTimeout: 30_000, headersTimeout: 10_000 };
  const server: Server =
    config.tls === null
      ? createHttpServer(limits)
      : createHttpsServer({ ...limits, handshakeTimeout: 10_000, ...config.tls });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, config)));
    server.listen(config.port, config.host, resolve);
  });
  const address = server.address();
  let closed: Promise<void> | undefined;
  return {
    port: typeof address === "object" && address !== null ? address.port : config.port,
    serve: (fetch) => {
      const answer = getRequestListener(fetch);
      server.on("request", (incoming, outgoing) => void answer(incoming, outgoing));
    },
    close: (graceMs) => (closed ??= closeServer(server, sockets, graceMs)),
  };
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

function listenError(error: Error, { host, port }: Pick<Config, "host" | "port">): Error {
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
        `Port ${port} is not open to this user: set SINETA_PORT to a port from 1024 on.`,
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
