import { randomUUID } from "node:crypto";
import { once } from "node:events";

import { WebSocket } from "ws";

import type { PushLab } from "../lab.ts";
import { vapidKeys } from "./application-server.ts";
import { createInbox } from "./inbox.ts";

/** Firefox's side of its push protocol, written from what Firefox sends and not from the lab's code. */

export type ServerMessage = Readonly<Record<string, unknown>> & { readonly messageType?: string };

export type Notification = {
  readonly messageType: "notification";
  readonly channelID: string;
  readonly version: string;
  readonly ttl: number;
  readonly data?: string;
  readonly headers?: { readonly encoding: string };
};

export type RegisterReply = {
  readonly messageType: "register";
  readonly channelID: string;
  readonly status: number;
  readonly pushEndpoint?: string;
};

export type FirefoxConnection = {
  /** Who the lab says this browser is. */
  readonly uaid: string;
  /** The next message from the lab, of whatever kind. */
  readonly next: () => Promise<ServerMessage>;
  readonly nextNotification: () => Promise<Notification>;
  /** Sends the request and leaves the answer to `next`. */
  readonly askToRegister: (channelID: string, key?: string) => void;
  /** Subscribes with the test's VAPID key unless another or an empty one is given. */
  readonly register: (channelID?: string, key?: string) => Promise<RegisterReply>;
  /** Passes over what comes before the answer. */
  readonly unregister: (channelID: string) => Promise<ServerMessage>;
  readonly acknowledge: (
    notification: Pick<Notification, "channelID" | "version">,
    code?: number,
  ) => void;
  readonly sendJson: (message: object) => void;
  readonly sendText: (text: string | Uint8Array) => void;
  readonly leave: () => Promise<void>;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
};

/** Opens the connection without saying anything on it. */
export async function openWebSocket(lab: PushLab) {
  const socket = new WebSocket(String(lab.firefox.prefs["dom.push.serverURL"]), [
    "push-notification",
  ]);
  const arrived = createInbox<ServerMessage>();
  socket.on("message", (data) => {
    if (Buffer.isBuffer(data)) arrived.put(JSON.parse(data.toString("utf8")));
  });
  // Being cut off is part of what is tested; "close" follows.
  socket.on("error", () => {});
  const closed = once(socket, "close").then(() => {});
  await once(socket, "open");
  return { socket, next: arrived.next, closed };
}

/** Connects and says hello; with a uaid as a browser that has been here before. */
export async function connectFirefox(lab: PushLab, uaid?: string): Promise<FirefoxConnection> {
  const { socket, next, closed } = await openWebSocket(lab);
  const sendJson = (message: object): void => {
    socket.send(JSON.stringify(message));
  };
  const nextOf = async <Message>(messageType: string): Promise<Message> => {
    const message = await next();
    if (message.messageType !== messageType) throw new Error(JSON.stringify(message));
    return message as Message;
  };
  sendJson({ messageType: "hello", broadcasts: {}, use_webpush: true, uaid });
  const hello = await nextOf<{ uaid: string }>("hello");

  const askToRegister = (channelID: string, key = vapidKeys.publicKey): void => {
    // Firefox pads what it writes in base64url.
    const padded = key.padEnd(Math.ceil(key.length / 4) * 4, "=");
    sendJson({ messageType: "register", channelID, ...(key !== "" && { key: padded }) });
  };

  return {
    uaid: hello.uaid,
    next,
    nextNotification: () => nextOf("notification"),
    askToRegister,
    register: async (channelID = randomUUID(), key) => {
      askToRegister(channelID, key);
      return await nextOf("register");
    },
    unregister: async (channelID) => {
      sendJson({ messageType: "unregister", channelID, code: 200 });
      for (;;) {
        const reply = await next();
        if (reply.messageType === "unregister") return reply;
      }
    },
    acknowledge: ({ channelID, version }, code = 100) => {
      sendJson({ messageType: "ack", updates: [{ channelID, version, code }] });
    },
    sendJson,
    sendText: (text) => {
      socket.send(text);
    },
    leave: async () => {
      socket.terminate();
      await closed;
    },
    closed,
  };
}
