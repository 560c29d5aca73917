import type { RawData, WebSocket } from "ws";

import type { EventStream } from "../events.ts";
import { MalformedInput } from "../malformed-input.ts";
import { expiresAtMs, type Message, type MessageQueue } from "../push-service/message-queue.ts";
import type { Browsers } from "./browsers.ts";
import type { Registration, Registrations } from "./registrations.ts";
import {
  type ClientMessage,
  deliveredCode,
  notDeliveredCode,
  readClientMessage,
  type Verdict,
} from "./client-messages.ts";

export type ConnectionDependencies = {
  readonly browsers: Browsers;
  readonly registrations: Registrations;
  readonly queue: MessageQueue;
  readonly events: EventStream;
  readonly now: () => number;
};

/** How to end each browser's connection, saying why. */
export type Connections = Map<string, (why: string) => void>;

/** Answers a registration, now or later. */
export type Register = (
  registration: Registration,
  answer: (reply: { status: number; pushEndpoint?: string }) => void,
  /** Calls the listener when the connection is gone; the result stops that. */
  onceClosed: (listener: () => void) => () => void,
) => void;

/**
 * Speaks Firefox's protocol on one connection (autopush). Whatever is wrong ends this connection and nothing else; the browser
 * comes back and gets what it has not acknowledged.
 */
export function serveConnection(
  socket: WebSocket,
  {
    browsers,
    registrations,
    queue,
    events,
    now,
    connections,
    sentAgain,
    register,
  }: ConnectionDependencies & {
    connections: Connections;
    /** Versions of messages that were sent more than once: the connection was lost before they were acknowledged. */
    sentAgain: Set<string>;
    register: Register;
  },
): void {
  let browser: string | undefined;
  let reason = "the browser left";

  const cut = (why: string): void => {
    reason = why;
    // Not close(): Firefox never answers a close frame, and goes on believing in the connection.
    socket.terminate();
    if (browser === undefined) events.emit({ type: "connection-refused", reason });
  };

  const send = (message: object): void => {
    socket.send(JSON.stringify(message));
  };

  const sendMessage = (message: Message, again: boolean): void => {
    const channelID = registrations.channelIdOf(message.endpoint);
    if (channelID === undefined) return;
    // A message keeps its version however often it is sent: by it Firefox knows what it has had.
    if (again) sentAgain.add(message.id);
    send({
      messageType: "notification",
      channelID,
      version: message.id,
      ttl: Math.max(0, Math.ceil((expiresAtMs(message) - now()) / 1000)),
      ...(message.body.byteLength > 0 && {
        data: Buffer.from(message.body).toString("base64url"),
        headers: { encoding: message.contentEncoding },
      }),
    });
  };

  const onceClosed = (listener: () => void): (() => void) => {
    socket.once("close", listener);
    return () => socket.off("close", listener);
  };

  const greet = (uaid: string | undefined): void => {
    const admitted = browsers.admit(uaid);
    browser = admitted;
    connections.get(admitted)?.("the browser has a newer connection");
    connections.set(admitted, cut);
    send({
      messageType: "hello",
      uaid: admitted,
      status: 200,
      use_webpush: true,
      broadcasts: {},
    });
    events.emit({ type: "connected", browser: admitted });
    const disconnect = queue.connect(admitted, sendMessage);
    socket.once("close", () => {
      disconnect();
      if (connections.get(admitted) === cut) connections.delete(admitted);
      events.emit({ type: "disconnected", browser: admitted, reason });
    });
  };

  const settle = (from: string, { version, code }: Verdict): void => {
    // What Firefox has had before, it does not give to the page again, and says so with the code for "not delivered": its
    // acknowledgement was lost with the connection, not the message.
    const hadBefore = code === notDeliveredCode && sentAgain.has(version);
    if (code === deliveredCode || hadBefore) queue.acknowledge(from, version);
    else queue.refuse(from, version, code);
  };

  const receive = (message: ClientMessage): void => {
    if (message.type === "ping") {
      send({});
      return;
    }
    if (browser === undefined) {
      if (message.type !== "hello") throw new MalformedInput(`${message.type} before hello`);
      greet(message.uaid);
      return;
    }
    const from = browser;
    switch (message.type) {
      case "hello":
        throw new MalformedInput("a second hello");
      case "register": {
        const { channelId, key } = message;
        const reply = { messageType: "register", channelID: channelId };
        register(
          { browser: from, channelId, key },
          (answer) => {
            send({ ...reply, ...answer });
          },
          onceClosed,
        );
        return;
      }
      case "unregister":
        registrations.unregister({ browser: from, channelId: message.channelId });
        send({ messageType: "unregister", channelID: message.channelId, status: 200 });
        return;
      case "ack":
        for (const verdict of message.updates) settle(from, verdict);
        return;
      case "nack":
        settle(from, message.verdict);
        return;
      case "broadcast_subscribe":
        return;
      default:
        message satisfies never;
    }
  };

  socket.on("message", (data: RawData, isBinary: boolean) => {
    try {
      if (isBinary || !Buffer.isBuffer(data)) throw new MalformedInput("a binary message");
      receive(readClientMessage(data.toString("utf8")));
    } catch (error) {
      if (!(error instanceof MalformedInput)) throw error;
      cut(`malformed: ${error.message}`);
    }
  });
  // Broken by the network, or by the browser: too large a message, say, or no WebSocket frame at all.
  socket.on("error", (error) => {
    cut(error.message);
  });
}
