import { createServer } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

import type { EventStream } from "../events.ts";
import { listen, type Listening, loopbackAddress } from "../listening.ts";

const maxHeaderBytes = 8192;
const maxHeaderMs = 10_000;

/**
 * An HTTP proxy that leads a sender to the lab: CONNECT (RFC 9110, section 9.3.6) to port 443 of a push service that the
 * lab plays comes out at the lab's own endpoint server; TLS runs between sender and lab, the proxy sees none of it.
 * Everything else is refused with 403, a sentence that says why, and a `proxy-refused` event: what uses this proxy cannot
 * leave the machine without its being noticed.
 *
 * @param services origins of the push services played
 * @param pushServicePort where their endpoint server listens, on loopback
 * @throws PushLabError `port-unavailable`
 */
export async function startProxy({
  port,
  services,
  pushServicePort,
  events,
}: {
  port: number;
  services: readonly string[];
  pushServicePort: number;
  events: EventStream;
}): Promise<Listening> {
  const played = new Set(services.map((service) => `${new URL(service).hostname}:443`));
  const rule = `The push lab's proxy connects to ${[...played].join(" and ")} and to nothing else, so that a test stays offline.`;

  const refuse = (target: string, why: string): string => {
    const reason = `${why} ${rule}`;
    events.emit({ type: "proxy-refused", target, reason });
    return `${reason}\n`;
  };

  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, headersTimeout: maxHeaderMs, requestTimeout: maxHeaderMs },
    (request, response) => {
      const target = request.url ?? "";
      const why = target.startsWith("/")
        ? "This is a proxy, not a site."
        : `Only CONNECT is served here: ${request.method} of ${target} would go out in the open.`;
      response
        .writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" })
        .end(refuse(target, why));
    },
  );
  server.on("connect", (request, sender: Duplex, head: Uint8Array) => {
    // Being cut off is nothing to tell anybody; "close" follows.
    sender.on("error", () => {});
    const target = (request.url ?? "").toLowerCase();
    if (!played.has(target)) {
      sender.resume();
      finish(sender, refusal(refuse(target, `${target} is no push service of the lab's.`)));
      return;
    }
    const service = connect(pushServicePort, loopbackAddress, () => {
      sender.write("HTTP/1.1 200 OK\r\n\r\n");
      service.write(head);
      service.pipe(sender).pipe(service);
    });
    service.on("error", () => {});
    // So closing the proxy, which cuts off every sender, leaves nothing open towards the service either.
    service.once("close", () => {
      finish(sender);
    });
    sender.once("close", () => {
      finish(service);
    });
  });

  return await listen(server, port, "proxy");
}

/** Closes a connection once what was written to it has gone out. */
function finish(connection: Duplex, last = ""): void {
  connection.end(last, () => {
    connection.destroy();
  });
}

/** Many senders show of a refused tunnel the first line alone: it says what matters. */
function refusal(body: string): string {
  return [
    "HTTP/1.1 403 Not a push service of the lab",
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
