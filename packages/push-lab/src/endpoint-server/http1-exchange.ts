import type { IncomingMessage, ServerResponse } from "node:http";

import { type Exchange, filler, hasNoBody, writeForEver } from "./exchange.ts";
import { plainHeaders } from "./plain-headers.ts";

/** @param cutConnection ends the connection at once, whatever was still to be written */
export function http1Exchange(
  message: IncomingMessage,
  response: ServerResponse,
  { body, cutConnection }: { body: Uint8Array; cutConnection: () => void },
): Exchange {
  const headers = plainHeaders(message.headers);
  return {
    request: {
      method: message.method ?? "",
      authority: headers["host"] ?? "",
      path: message.url ?? "",
      headers,
      body,
    },
    isGone: () => response.destroyed,
    answer: (answer) => {
      response.writeHead(answer.status, { ...answer.headers });
      response.end(hasNoBody(answer) ? undefined : answer.body);
    },
    begin: (answer) => {
      response.writeHead(answer.status, { ...answer.headers });
      response.flushHeaders();
      return response;
    },
    sendHeadersForEver: () => {
      message.socket.write("HTTP/1.1 201 Created\r\n");
      let line = 0;
      writeForEver(message.socket, () => `x-filler-${(line += 1)}: ${filler.slice(0, 1000)}\r\n`);
    },
    reset: cutConnection,
    limitStreams: () => {},
    goAway: (_code, last) => {
      if (last === "this") response.setHeader("connection", "close");
      else cutConnection();
      return last === "this";
    },
    cutConnection,
  };
}
