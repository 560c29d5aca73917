import {
  Agent,
  request as startRequest,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import type { TLSSocket } from "node:tls";
import { readAnswer } from "./answer.ts";
import { broken, type Broken, type Line, type Running } from "./line.ts";

/**
 * One HTTP/1.1 connection, kept open, one request at a time: for push services that do not speak HTTP/2.
 * @param authority the endpoint's host, and port unless it is 443: the Host header
 */
export function http1Line(socket: TLSSocket, authority: string, onChange: () => void): Line {
  // The agent holds this one connection between requests and is never asked for a second.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => socket;
  let busy = 0;
  let ended = false;
  let destroyedFor: Broken["reason"] | null = null;
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      resolve();
      onChange();
    });
  });

  function hasEnded(): boolean {
    return ended || socket.destroyed;
  }

  function follow(request: ClientRequest): Running {
    let message: IncomingMessage | null = null;
    let failure: Error | null = null;
    let abandoned = false;
    const answer = readAnswer({
      whyBroken: () => {
        const reason = destroyedFor ?? (abandoned ? "answer-timed-out" : "stream-broken");
        return broken(reason, failure?.message);
      },
      onEnough: dropUnlessWhole,
    });

    /** A connection in the middle of a request or an answer can carry no other. */
    function dropUnlessWhole(): void {
      if (message?.complete !== true || !request.writableFinished) request.destroy();
    }

    request.on("information", () => {
      if (!answer.interim()) {
        request.destroy(new Error("more interim answers than anybody needs"));
      }
    });
    request.once("response", (response) => {
      message = response;
      response.on("error", () => undefined);
      answer.begin(response.statusCode ?? 0, response.headers);
      response.on("data", answer.data);
      response.on("end", answer.end);
    });
    request.on("error", (error) => {
      failure = error;
    });
    request.once("close", () => {
      busy = 0;
      answer.finish();
      if (ended) socket.destroy();
      onChange();
    });
    return {
      done: answer.done,
      abandon: () => {
        abandoned = true;
        answer.finish();
        dropUnlessWhole();
      },
    };
  }

  return {
    start: ({ path, headers, body }) => {
      const request = startRequest({
        agent,
        method: "POST",
        path,
        headers: { ...headers, host: authority },
      });
      busy = 1;
      request.end(body ?? undefined);
      return follow(request);
    },
    sideBySide: 8,
    free: () => (hasEnded() ? 0 : 1 - busy),
    ended: hasEnded,
    end: () => {
      ended = true;
      if (busy === 0) socket.destroy();
    },
    destroy: (reason) => {
      destroyedFor ??= reason;
      socket.destroy();
    },
    closed,
  };
}
