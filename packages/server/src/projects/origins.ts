import { isIPv6 } from "node:net";
import type { Config } from "../config.ts";

/** Names by which a machine reaches itself. No name server decides where they lead. */
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

export function hostsOf(origins: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...origins].map((origin) => new URL(origin).host));
}

/**
 * Whether a request's Host header names one of Sineta's own hosts, or one of the machine's local names at any port.
 * @param url the request's
 */
export function isAtKnownHost(url: string, ownHosts: ReadonlySet<string>): boolean {
  const { host, hostname } = new URL(url);
  return ownHosts.has(host) || localNames.includes(hostname);
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
