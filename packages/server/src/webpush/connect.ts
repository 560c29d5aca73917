import type { LookupFunction } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { addressNotAllowed, guardLookup } from "./address.ts";
import type { PushTarget } from "./endpoint.ts";
import { broken, type Broken } from "./line.ts";

export type ConnectOptions = {
  /** Certificates to trust instead of those of Node (which NODE_EXTRA_CA_CERTS adds to), PEM. */
  readonly ca?: string | readonly string[];
  /** In place of DNS, for tests. Its answers are held to the rules of address.ts all the same. */
  readonly lookup?: LookupFunction;
  /** In place of `isPublicAddress`, for tests that show what becomes of an allowed address beside one that is not. */
  readonly isAllowedAddress?: (address: string) => boolean;
};

export type Connected = {
  readonly kind: "connected";
  readonly socket: TLSSocket;
  /** What the peer picked by ALPN; one that picks nothing speaks HTTP/1.1. */
  readonly protocol: "h2" | "http/1.1";
};

/**
 * Connects to a push service: TLS for the endpoint's host, at a public address or at the configured route's.
 * Never rejects.
 * @param signal ends the attempt, which then counts as `connect-timed-out`
 */
export function connect(
  target: PushTarget,
  { ca, lookup, isAllowedAddress }: ConnectOptions,
  signal: AbortSignal,
): Promise<Connected | Broken> {
  const { host, port, route } = target;
  let stage: "name" | "tcp" | "tls" = route === null ? "name" : "tcp";
  const socket = connectTls({
    host: route?.address ?? host,
    port: route?.addressPort ?? port,
    // The route changes where bytes go and nothing else: the certificate has to be the endpoint's host's.
    servername: host,
    ALPNProtocols: ["h2", "http/1.1"],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
    ...(route === null ? { lookup: guardLookup(lookup, isAllowedAddress) } : {}),
  });
  socket.setNoDelay(true);

  return new Promise((resolve) => {
    const settle = (result: Connected | Broken): void => {
      signal.removeEventListener("abort", abort);
      if (result.kind === "broken") socket.destroy();
      resolve(result);
    };
    const abort = (): void => {
      settle(broken("connect-timed-out"));
    };
    socket.once("lookup", (error) => {
      if (error === null) stage = "tcp";
    });
    socket.once("connect", () => {
      stage = "tls";
    });
    socket.once("secureConnect", () => {
      settle({
        kind: "connected",
        socket,
        protocol: socket.alpnProtocol === "h2" ? "h2" : "http/1.1",
      });
    });
    // Stays after the connection is up: whoever takes the socket hears of its end by "close".
    socket.on("error", (error: NodeJS.ErrnoException) => {
      settle(brokenBy(error, stage));
    });
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

function brokenBy(error: NodeJS.ErrnoException, stage: "name" | "tcp" | "tls"): Broken {
  // Where several addresses were tried, the error holds one error each and has no text of its own.
  const detail = error.message === "" ? (error.code ?? error.name) : error.message;
  if (error.code === addressNotAllowed) return broken("address-not-allowed", detail);
  if (stage === "name") return broken("name-not-resolved", detail);
  return broken(stage === "tcp" ? "connect-failed" : "tls-failed", detail);
}
