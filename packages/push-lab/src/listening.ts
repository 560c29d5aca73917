import { once } from "node:events";
import type { Server, Socket } from "node:net";

import { PushLabError } from "./errors.ts";

/** The only address the lab listens on: nothing of it can be reached from another machine. */
export const loopbackAddress = "127.0.0.1";

export type Listening = {
  readonly port: number;
  /** Closes the server and every connection it holds. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a server on loopback. Port 0 takes any free one.
 *
 * @param what the server's name in a sentence, for the error
 * @throws PushLabError `port-unavailable`
 */
export async function listen(server: Server, port: number, what: string): Promise<Listening> {
  // Every kind of server (http, tls, http2) hands out its raw sockets here, so one way of closing fits all. HTTP/2
  // has no closeAllConnections, and close() alone waits for keep-alive connections to end by themselves.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  try {
    server.listen(port, loopbackAddress);
    await once(server, "listening");
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new PushLabError(
      "port-unavailable",
      `The lab's ${what} cannot listen on ${loopbackAddress}:${port} (${why}): choose another port, or 0 for any free one.`,
      { cause },
    );
  }

  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("not a TCP server");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
