import { createServer as createHttpServer } from "node:http";
import { performServerHandshake } from "node:http2";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";

import { listen, type Listening } from "../listening.ts";
import { maxBodyBytes } from "../push-service/push-request.ts";
import { readBody } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { http1Exchange } from "./http1-exchange.ts";
import { type Http2Connection, http2Exchange } from "./http2-exchange.ts";

export type EndpointServer = Listening & {
  /** Cuts every connection that is to be refused from now on. */
  readonly cutRefused: () => void;
  readonly connections: () => number;
};

type Connection = {
  readonly cut: () => void;
  /** What it asked for in TLS; undefined until that is done. */
  host: string | undefined;
  /** How often connections had been cut when it came in. */
  readonly cutsBefore: number;
};

/** As many as FCM allows, and what most clients take for granted. */
const usualMaxConcurrentStreams = 100;
/** Each stream of endless headers has one on its way. */
const maxOutstandingPings = 10_000;

/**
 * An HTTPS server on loopback, HTTP/2 and HTTP/1.1 by ALPN, that hands out each request once it is there, with all the means
 * to answer it badly. A body over the limit is handed out as soon as it is, with one byte too many.
 *
 * The parts are Node's own, one behind the other, because what goes wrong goes wrong at each of them: TCP refuses
 * connections, TLS tells for whom they are, HTTP does the rest.
 *
 * @param refuses asked once for a connection as it comes in, by no host, and once more when it has said for which host it is
 * @param what the server's name in a sentence
 * @throws PushLabError `port-unavailable`
 */
export async function startEndpointServer({
  port,
  tls,
  http1Only = false,
  maxConcurrentStreams = usualMaxConcurrentStreams,
  refuses,
  onExchange,
  what,
}: {
  port: number;
  /** PEM. */
  tls: { cert: string; key: string };
  http1Only?: boolean;
  maxConcurrentStreams?: number;
  refuses: (host: string | undefined) => boolean;
  onExchange: (exchange: Exchange) => void;
  what: string;
}): Promise<EndpointServer> {
  // By the client's port: the socket of TLS does not tell which one of TCP is below it.
  const connections = new Map<number | undefined, Connection>();

  let cuts = 0;

  const tcpServer = createTcpServer((socket) => {
    if (refuses(undefined)) {
      socket.resetAndDestroy();
      return;
    }
    track(socket);
    tlsServer.emit("connection", socket);
  });

  const track = (socket: Socket): void => {
    const { remotePort } = socket;
    connections.set(remotePort, {
      cut: () => socket.destroy(),
      host: undefined,
      cutsBefore: cuts,
    });
    socket.once("close", () => connections.delete(remotePort));
  };

  const tlsServer = createTlsServer(
    {
      ...tls,
      ALPNProtocols: http1Only ? ["http/1.1"] : ["h2", "http/1.1"],
      SNICallback: (host, done) => {
        done(refuses(host) ? new Error(`connections for ${host} are refused`) : null);
      },
    },
    (socket) => {
      // Being cut off is nothing to tell anybody; "close" follows.
      socket.on("error", () => {});
      const connection = connections.get(socket.remotePort);
      if (connection === undefined) return;
      connection.host = socket.servername || undefined;
      // Cut while it shook hands, when nobody knew yet for whom it was.
      const wasMissed = connection.cutsBefore !== cuts && connection.host !== undefined;
      if (wasMissed && refuses(connection.host)) connection.cut();
      else if (socket.alpnProtocol === "h2") serveHttp2(socket, connection);
      else http1Server.emit("connection", socket);
    },
  );

  const serveHttp2 = (socket: TLSSocket, { cut }: Connection): void => {
    const session = performServerHandshake(socket, {
      settings: { maxConcurrentStreams },
      maxOutstandingPings,
    });
    session.on("error", () => {});
    const connection: Http2Connection = {
      session,
      maxConcurrentStreams,
      lastStreamId: Number.POSITIVE_INFINITY,
      cut,
    };
    session.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      readBody(stream, maxBodyBytes + 1).then(
        (body) => {
          hand(http2Exchange(stream, headers, { body, connection }));
        },
        // The sender went away in the middle of its own request: nobody is left to answer.
        () => {},
      );
    });
  };

  const http1Server = createHttpServer((message, response) => {
    const cutConnection = connections.get(message.socket.remotePort)?.cut;
    if (cutConnection === undefined) return;
    readBody(message, maxBodyBytes + 1).then(
      (body) => {
        hand(http1Exchange(message, response, { body, cutConnection }));
      },
      () => {},
    );
  });

  const hand = (exchange: Exchange): void => {
    if (!exchange.isGone()) onExchange(exchange);
  };

  const listening = await listen(tcpServer, port, what);
  return {
    ...listening,
    connections: () => connections.size,
    cutRefused: () => {
      cuts += 1;
      for (const { cut, host } of connections.values())
        if (refuses(undefined) || (host !== undefined && refuses(host))) cut();
    },
  };
}
