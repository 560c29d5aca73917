import { createServer } from "node:http";

import { WebSocketServer } from "ws";

import { listen, type Listening } from "../listening.ts";
import {
  type ConnectionDependencies,
  type Connections,
  type Register,
  serveConnection,
} from "./connection.ts";

export type ConnectionServer = Listening & {
  /** Every registration is answered with this status, until `recover`: the page's `subscribe()` rejects. */
  readonly failRegistrations: (status: number) => void;
  /** No registration is answered, until `recover`. Firefox gives up after `dom.push.requestTimeout`, 10 s. */
  readonly hangRegistrations: () => void;
  /** Everything works again; what was kept waiting is answered now. */
  readonly recover: () => void;
  /** Cuts every connection; Firefox comes back at once. */
  readonly disconnect: () => void;
};

type Mood =
  | { readonly kind: "well" }
  | { readonly kind: "failing"; readonly status: number }
  | { readonly kind: "hanging" };

const subprotocol = "push-notification";
const maxMessageBytes = 64 * 1024;

/**
 * The connections over which Firefox subscribes and gets its messages: a WebSocket per profile.
 *
 * @throws PushLabError `port-unavailable`
 */
export async function startConnectionServer({
  port,
  ...dependencies
}: ConnectionDependencies & { port: number }): Promise<ConnectionServer> {
  const { registrations, events } = dependencies;
  let mood: Mood = { kind: "well" };
  const held = new Set<() => void>();
  const connections: Connections = new Map();
  const sentAgain = new Set<string>();

  const register: Register = (registration, answer, onceClosed) => {
    const { browser } = registration;
    if (mood.kind === "hanging") {
      const answerNow = (): void => {
        stopWatching();
        register(registration, answer, onceClosed);
      };
      // Answered later all the same, it would make a subscription that the browser knows nothing of.
      const stopWatching = onceClosed(() => {
        held.delete(answerNow);
        events.emit({ type: "registration-abandoned", browser });
      });
      held.add(answerNow);
      events.emit({ type: "registration-held", browser });
      return;
    }
    const pushEndpoint = mood.kind === "well" ? registrations.register(registration) : undefined;
    if (pushEndpoint !== undefined) {
      answer({ status: 200, pushEndpoint });
      return;
    }
    const status = mood.kind === "failing" ? mood.status : 400;
    answer({ status });
    events.emit({ type: "registration-refused", browser, error: `status ${status}` });
  };

  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols: (offered) => offered.has(subprotocol) && subprotocol,
  });
  const server = createServer((_request, response) => {
    response.writeHead(426, { upgrade: "websocket" }).end();
  });
  server.on("upgrade", (request, socket, head) => {
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      serveConnection(webSocket, { ...dependencies, connections, sentAgain, register });
    });
  });
  const listening = await listen(server, port, "connection for Firefox");

  return {
    ...listening,
    failRegistrations: (status) => {
      mood = { kind: "failing", status };
    },
    hangRegistrations: () => {
      mood = { kind: "hanging" };
    },
    recover: () => {
      mood = { kind: "well" };
      const waiting = [...held];
      held.clear();
      for (const answerNow of waiting) answerNow();
    },
    disconnect: () => {
      for (const cut of connections.values()) cut("the lab was told to disconnect");
    },
  };
}
