import { isIPv6 } from "node:net";
import type { Config } from "../config.ts";

/** Under these a machine reaches itself; no name server decides where they lead. */
const localNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Sineta's own origins, where its console and its own page are: that of SINETA_PUBLIC_URL; without one, the names under
 * which this machine reaches the server, and the address it is bound to.
 * @param port the port that is really listened on
 */
export function ownOriginsOf(
  config: Pick<Config, "publicUrl" | "tls" | "host">,
  port: number,
): ReadonlySet<string> {
  if (config.publicUrl !== null) return new Set([config.publicUrl.origin]);
  const hosts = [...localNames];
  if (!isWildcard(config.host)) hosts.push(bracketed(config.host));
  return new Set(hosts.map((host) => originOf(config, host, port)));
}

/**
 * Whether a request was sent to Sineta's own host, or to this machine by one of its local names, at whatever port.
 * @param url the request's, with what its Host header says
 */
export function isAtOwnHost(url: string, ownOrigins: ReadonlySet<string>): boolean {
  const { host, hostname } = new URL(url);
  return (
    localNames.includes(hostname) || [...ownOrigins].some((origin) => new URL(origin).host === host)
  );
}

/** Address of the site on this machine, to print. Ends in a slash. */
export function localUrl(config: Pick<Config, "tls" | "host">, port: number): string {
  // Not so for 127.0.0.2 or ::1: browsers need not reach those as localhost.
  const isLocalhost = isWildcard(config.host) || config.host === "127.0.0.1";
  const host = isLocalhost ? "localhost" : bracketed(config.host);
  return `${originOf(config, host, port)}/`;
}

function originOf(config: Pick<Config, "tls">, host: string, port: number): string {
  // URL leaves out the port that is the scheme's own, as browsers do in the Origin header.
  return new URL(`${config.tls === null ? "http" : "https"}://${host}:${port}`).origin;
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
