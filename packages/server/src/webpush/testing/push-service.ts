import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from "node:http2";
import type { Server, Socket } from "node:net";
import type { TestCertificates } from "./certificates.ts";

/** A push as the service got it. Nothing answers it unless the test does. */
export type ReceivedPush = {
  readonly stream: ServerHttp2Stream;
  readonly session: ServerHttp2Session;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Index of the TLS connection it came on, from 0. */
  readonly connection: number;
};

export type TestPushService = Listening & {
  /** Resolves with the push of this index, from 0, when it has arrived whole. */
  readonly arrival: (index: number) => Promise<ReceivedPush>;
  readonly received: readonly ReceivedPush[];
  readonly sessions: readonly ServerHttp2Session[];
  /** TLS connections so far. */
  readonly connections: () => number;
};

export type Listening = { readonly port: number; readonly close: () => Promise<void> };

/** An address of loopback. */
export type Place = { readonly host: string; readonly port: number };

/** A push service on loopback: real TLS, real HTTP/2, answers of the test's choice. */
export async function startPushService({
  certificates,
  settings = {},
  place,
  onHeaders,
  onPush,
}: {
  certificates: TestCertificates;
  settings?: Settings;
  /** Where it listens, if not at any free port of 127.0.0.1. */
  place?: Place;
  /** Called with every push before any of its body is read. */
  onHeaders?: (push: Pick<ReceivedPush, "stream" | "headers">) => void;
  /** Called with every push when its body is there. */
  onPush?: (push: ReceivedPush) => void;
}): Promise<TestPushService> {
  const received: ReceivedPush[] = [];
  const awaited = new Map<number, (push: ReceivedPush) => void>();
  const sessions: ServerHttp2Session[] = [];
  const server = createSecureServer({ ...certificates, settings });
  server.on("session", (session) => {
    sessions.push(session);
    session.on("error", () => undefined);
  });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("error", () => undefined);
    onHeaders?.({ stream, headers });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const connection = sessions.findIndex((each) => each === stream.session);
      const session = sessions[connection];
      if (session === undefined) return;
      const push = { stream, session, headers, body: Buffer.concat(chunks), connection };
      received.push(push);
      awaited.get(received.length - 1)?.(push);
      onPush?.(push);
    });
  });
  const listening = await listen(server, place);
  return {
    ...listening,
    received,
    sessions,
    connections: () => sessions.length,
    arrival: (index) => {
      const push = received[index];
      if (push !== undefined) return Promise.resolve(push);
      return new Promise((resolve) => {
        awaited.set(index, resolve);
      });
    },
  };
}

/** Listens on loopback, at any free port unless one is given; `close` ends every connection at once. */
export async function listen(
  server: Server,
  { host, port }: Place = { host: "127.0.0.1", port: 0 },
): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve);
  });
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
