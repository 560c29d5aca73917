import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Of a connection's requests those that may wait for the answers before them. Browsers and proxies send none before they
 * have the last answer.
 */
export const mostWaiting = 32;

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/**
 * Answers the requests of a connection one after the other: the next one begins when the operating system has taken the
 * whole answer before it. A client that sends many requests and reads no answer (pipelining, RFC 9112, section 9.3.2) so
 * has one answer pending. Node alone would begin every request of the 64 KiB that it reads at once.
 * @param refuse closes the connection on which more than `mostWaiting` requests wait
 */
export function oneAtATime(answer: Answer, refuse: (socket: Socket) => void): Answer {
  const connections = new WeakMap<Socket, Answer>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    let ofConnection = connections.get(socket);
    if (ofConnection === undefined) {
      ofConnection = oneAtATimeOf(socket, answer, refuse);
      connections.set(socket, ofConnection);
    }
    ofConnection(incoming, outgoing);
  };
}

function oneAtATimeOf(socket: Socket, answer: Answer, refuse: (socket: Socket) => void): Answer {
  const waiting: Parameters<Answer>[] = [];
  let isBusy = false;

  function begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    isBusy = true;
    outgoing.on("close", next);
    answer(incoming, outgoing);
  }

  function next(): void {
    isBusy = false;
    const request = waiting.shift();
    if (request !== undefined && !socket.destroyed) begin(...request);
  }

  return (incoming, outgoing) => {
    // Node hands on what it had read of a connection before that was closed.
    if (socket.destroyed) return;
    if (!isBusy) begin(incoming, outgoing);
    else if (waiting.length < mostWaiting) waiting.push([incoming, outgoing]);
    else refuse(socket);
  };
}
