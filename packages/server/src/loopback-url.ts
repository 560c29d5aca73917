import { isIPv6 } from "node:net";
import type { Config } from "./config.ts";

/** An address that is for listening everywhere is no address to ask. */
const loopbackOf: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Where a command on the same machine reaches the server. */
export function loopbackUrl({ host, port, tls }: Pick<Config, "host" | "port" | "tls">): URL {
  const address = loopbackOf[host] ?? host;
  const name = isIPv6(address) ? `[${address}]` : address;
  return new URL(`${tls === null ? "http" : "https"}://${name}:${port}`);
}
