import { createServer, type TLSSocket } from "node:tls";

import type { EventStream } from "../events.ts";
import { listen, type Listening } from "../listening.ts";
import type { Message, MessageQueue } from "../push-service/message-queue.ts";
import {
  createFrameReader,
  encodeFrame,
  type Frame,
  MalformedStream,
  mcsVersion,
} from "./frames.ts";
import type { Profiles } from "./profiles.ts";
import type { Registrations } from "./registrations.ts";
import {
  readLastStreamId,
  readLoginRequest,
  stanzaTags,
  writeDataMessage,
  writeHeartbeat,
  writeLoginResponse,
} from "./stanzas.ts";

type Dependencies = {
  readonly profiles: Profiles;
  readonly registrations: Registrations;
  readonly queue: MessageQueue;
  readonly events: EventStream;
  readonly now: () => number;
};

/**
 * The connection over which Chromium gets its messages (MCS): TLS 1.3, one connection per profile. Whatever is wrong on a
 * connection ends that connection and nothing else; the browser comes back and gets what it has not acknowledged.
 */
export async function startMessageServer({
  port,
  tls,
  ...dependencies
}: Dependencies & {
  port: number;
  /** PEM. */
  tls: { cert: string; key: string };
}): Promise<Listening> {
  const connections = new Map<string, TLSSocket>();
  const server = createServer({ ...tls, minVersion: "TLSv1.3" }, (socket) => {
    serveConnection(socket, connections, dependencies);
  });
  // A handshake that fails is its client's affair. Without this listener it is still destroyed, but say so here.
  server.on("tlsClientError", (_error, socket) => {
    socket.destroy();
  });
  return await listen(server, port, "message connection");
}

function serveConnection(
  socket: TLSSocket,
  connections: Map<string, TLSSocket>,
  { profiles, registrations, queue, events, now }: Dependencies,
): void {
  const read = createFrameReader();
  // Both sides number the frames of a connection from 1, heartbeats included, and acknowledge by these numbers.
  let framesReceived = 0;
  let framesSent = 0;
  const unacknowledged = new Map<number, string>();
  let browser: string | undefined;
  let reason = "the browser left";

  const send = (
    write: (ids: { streamId: number; lastStreamIdReceived: number }) => Frame,
  ): void => {
    framesSent += 1;
    const frame = write({ streamId: framesSent, lastStreamIdReceived: framesReceived });
    socket.write(encodeFrame(frame));
  };

  const sendMessage = (message: Message): void => {
    const address = registrations.addressOf(message.endpoint);
    if (address === undefined) return;
    unacknowledged.set(framesSent + 1, message.id);
    send((ids) => writeDataMessage({ ...message, ...address, ...ids, sentAtMs: now() }));
  };

  const acknowledgeUpTo = (lastStreamId: number): void => {
    if (browser === undefined) return;
    for (const [streamId, id] of unacknowledged) {
      if (streamId > lastStreamId) break;
      unacknowledged.delete(streamId);
      queue.acknowledge(browser, id);
    }
  };

  const logIn = (body: Uint8Array): void => {
    const login = readLoginRequest(body);
    const admitted = profiles.admits(login);
    socket.write(Uint8Array.of(mcsVersion));
    send((ids) =>
      writeLoginResponse({
        id: login.id,
        ...ids,
        nowMs: now(),
        ...(!admitted && { error: "Authentication failed" }),
      }),
    );
    if (!admitted) {
      socket.end();
      return;
    }
    browser = login.browser;
    const earlier = connections.get(browser);
    connections.set(browser, socket);
    earlier?.destroy();
    events.emit({ type: "connected", browser });
    for (const id of login.receivedIds) queue.acknowledge(browser, id);
    const disconnect = queue.connect(browser, sendMessage);
    socket.once("close", () => {
      disconnect();
      if (connections.get(login.browser) === socket) connections.delete(login.browser);
      events.emit({ type: "disconnected", browser: login.browser, reason });
    });
  };

  const receive = (frame: Frame): void => {
    framesReceived += 1;
    if (browser === undefined) {
      if (frame.tag !== stanzaTags.loginRequest)
        throw new MalformedStream(`tag ${frame.tag} before the login`);
      logIn(frame.body);
      return;
    }
    if (frame.tag === stanzaTags.loginRequest) throw new MalformedStream("a second login");
    const lastStreamId = readLastStreamId(frame);
    if (lastStreamId !== undefined) acknowledgeUpTo(lastStreamId);
    if (frame.tag === stanzaTags.heartbeatPing)
      send((ids) => writeHeartbeat(stanzaTags.heartbeatAck, ids));
    else if (frame.tag === stanzaTags.close) socket.end();
  };

  socket.setNoDelay(true);
  socket.on("data", (chunk: Uint8Array) => {
    try {
      for (const frame of read(chunk)) receive(frame);
    } catch (error) {
      reason = `malformed: ${error instanceof Error ? error.message : String(error)}`;
      socket.destroy();
    }
  });
  socket.on("error", (error) => {
    reason = error.message;
  });
}
