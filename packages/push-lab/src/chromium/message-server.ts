import { createServer, type TLSSocket } from "node:tls";

import type { EventStream } from "../events.ts";
import { listen, type Listening } from "../listening.ts";
import type { Message, MessageQueue } from "../push-service/message-queue.ts";
import { createFrameReader, encodeFrame, type Frame, mcsVersion } from "./frames.ts";
import { MalformedInput } from "../malformed-input.ts";
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

/** How to end each browser's connection, saying why. */
type Connections = Map<string, (why: string) => void>;

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
  const connections: Connections = new Map();
  const server = createServer({ ...tls, minVersion: "TLSv1.3" }, (socket) => {
    serveConnection(socket, connections, dependencies);
  });
  return await listen(server, port, "message connection");
}

function serveConnection(
  socket: TLSSocket,
  connections: Connections,
  { profiles, registrations, queue, events, now }: Dependencies,
): void {
  const read = createFrameReader();
  // Both sides number the frames of a connection from 1, heartbeats included, and acknowledge by these numbers.
  let framesReceived = 0;
  let framesSent = 0;
  const unacknowledged = new Map<number, string>();
  let browser: string | undefined;
  let reason = "the browser left";

  const cut = (why: string): void => {
    reason = why;
    // What was written before still goes out.
    socket.destroySoon();
    if (browser === undefined) events.emit({ type: "connection-refused", reason });
  };

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
      cut(`browser ${login.browser} logged in with a wrong security token`);
      return;
    }
    browser = login.browser;
    connections.get(browser)?.("the browser has a newer connection");
    connections.set(browser, cut);
    events.emit({ type: "connected", browser });
    for (const id of login.receivedIds) queue.acknowledge(browser, id);
    const disconnect = queue.connect(browser, sendMessage);
    socket.once("close", () => {
      disconnect();
      if (connections.get(login.browser) === cut) connections.delete(login.browser);
      events.emit({ type: "disconnected", browser: login.browser, reason });
    });
  };

  const receive = (frame: Frame): void => {
    if (socket.writableEnded) return;
    framesReceived += 1;
    if (browser === undefined) {
      if (frame.tag !== stanzaTags.loginRequest)
        throw new MalformedInput(`tag ${frame.tag} before the login`);
      logIn(frame.body);
      return;
    }
    if (frame.tag === stanzaTags.loginRequest) throw new MalformedInput("a second login");
    const lastStreamId = readLastStreamId(frame);
    if (lastStreamId !== undefined) acknowledgeUpTo(lastStreamId);
    if (frame.tag === stanzaTags.heartbeatPing)
      send((ids) => writeHeartbeat(stanzaTags.heartbeatAck, ids));
    else if (frame.tag === stanzaTags.close) socket.destroySoon();
  };

  socket.setNoDelay(true);
  socket.on("data", (chunk: Uint8Array) => {
    try {
      for (const frame of read(chunk)) receive(frame);
    } catch (error) {
      if (!(error instanceof MalformedInput)) throw error;
      cut(`malformed: ${error.message}`);
    }
  });
  socket.on("error", (error) => {
    reason = error.message;
  });
}
