import { lookup as systemLookup } from "node:dns";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { bareHost } from "../bare-host.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import { codeOf, timedOut } from "./ask.ts";
import type { ShownCertificate } from "./check-certificate.ts";

/** An address of the host, and what is there. */
export type Place = {
  address: string;
  /** Code of why nothing answers; null if something does. */
  fault: string | null;
  /** Null over http, and where nothing answers. */
  certificate: ShownCertificate | null;
};

/** @returns the host's addresses, or why there are none */
export function addressesOf(
  host: string,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
): Promise<{ addresses: string[] } | { fault: string }> {
  if (isIP(host) !== 0) return Promise.resolve({ addresses: [host] });
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({ fault: timedOut }), { once: true });
    (lookup ?? systemLookup)(host, { all: true }, (error, found) => {
      if (error !== null) resolve({ fault: codeOf(error) });
      else if (typeof found === "string") resolve({ addresses: [found] });
      else resolve({ addresses: found.map(({ address }) => address) });
    });
  });
}

/** Connects to one address of the host. Never rejects. */
export function lookAt(
  address: string,
  url: URL,
  { ca, signal }: Pick<ConnectOptions, "ca"> & { signal: AbortSignal },
): Promise<Place> {
  const host = bareHost(url);
  const isHttps = url.protocol === "https:";
  const port = Number(url.port || (isHttps ? 443 : 80));
  return new Promise((resolve) => {
    const settle = (fault: string | null, certificate: ShownCertificate | null = null) => {
      resolve({ address, fault, certificate });
      socket.destroy();
    };
    let socket: Socket;
    if (isHttps) {
      const secure: TLSSocket = connectTls({
        host: address,
        port,
        // A name alone: an address is no server name (RFC 6066, section 3).
        ...(isIP(host) === 0 ? { servername: host } : {}),
        rejectUnauthorized: false,
        ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
      });
      secure.once("secureConnect", () => settle(null, shownBy(secure)));
      socket = secure;
    } else {
      socket = connectTcp({ host: address, port }).once("connect", () => settle(null));
    }
    socket.on("error", (error) => settle(codeOf(error)));
    signal.addEventListener("abort", () => settle(timedOut), { once: true });
    if (signal.aborted) settle(timedOut);
  });
}

function shownBy(socket: TLSSocket): ShownCertificate {
  const error: unknown = socket.authorizationError;
  const fault = error instanceof Error ? codeOf(error) : error;
  return {
    fault: typeof fault === "string" && fault !== "" ? fault : null,
    certificate: socket.getPeerCertificate(),
  };
}
