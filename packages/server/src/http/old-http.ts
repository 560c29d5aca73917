import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";

export type Fetch = (
  request: Request,
  bindings: HttpBindings | Http2Bindings,
) => Response | Promise<Response>;

/** What load balancers and monitors ask. Some of them write HTTP/1.0, or a Host header without a host. */
const hostlessPaths = new Set(["/healthz", "/readyz"]);

/**
 * Prepares the answer to a client of HTTP/1.0. It has no chunks, which HTTP/1.0 does not know (RFC 9112, section 6.1), and
 * the server closes the connection after it. That holds also where the client asks for chunks (`TE`) or for a connection
 * that stays (`Connection: keep-alive`). A proxy in front may have passed on what it does not know (appendix C.2.2).
 *
 * A request for `/healthz` or `/readyz` that names no host is answered as if it named this machine. Any other one must
 * name a host (section 3.2).
 */
export function prepareForOldHttp(
  { httpVersion, headers, url = "" }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (httpVersion === "1.0") {
    outgoing.shouldKeepAlive = false;
    outgoing.useChunkedEncodingByDefault = false;
    resetWhereBroken(outgoing);
  }
  const [path = ""] = url.split("?", 1);
  if (hostlessPaths.has(path)) headers.host ||= "localhost";
}

/**
 * Without chunks the end of the connection is the end of the answer. So an answer that breaks off resets the connection, or its half
 * would look whole. A connection of TLS would end in peace, too: the socket below it is reset. Node names that one nowhere else.
 */
function resetWhereBroken(outgoing: ServerResponse): void {
  const destroy = outgoing.destroy.bind(outgoing);
  outgoing.destroy = (error) => {
    const { socket } = outgoing;
    const below: unknown = socket instanceof TLSSocket ? Reflect.get(socket, "_parent") : socket;
    if (below instanceof Socket) below.resetAndDestroy();
    return destroy(error);
  };
}

/** Leaves out of the answer to HTTP/1.0 what Hono says for a stream of events, and Node would take for an order. */
export function forOldHttp(fetch: Fetch): Fetch {
  return (request, bindings) => {
    const answer = fetch(request, bindings);
    if (bindings.incoming.httpVersion !== "1.0") return answer;
    return Promise.resolve(answer).then((response) => {
      for (const name of ["Connection", "Transfer-Encoding"]) response.headers.delete(name);
      return response;
    });
  };
}
