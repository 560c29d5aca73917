/** Who is where in the network that the benchmark makes for itself (own-network.ts). */
import { randomBytes } from "node:crypto";

/**
 * Addresses that the server takes for public ones (webpush/address.ts). In the benchmark's own network all of 11.0.0.0/24
 * is on loopback, and nothing leads out of it.
 */
export const addresses = {
  pushServices: "11.0.0.1",
  /** Accepts TCP and says nothing. */
  silentTcp: "11.0.0.2",
  /** Accepts TLS and HTTP/2 and answers no request. */
  silentHttp2: "11.0.0.3",
} as const;

/** Any label below it is a host that the server sends to. */
export const wildcard = "notify.windows.com";

/** Push services that accept every push. The last one is the attackers' vendor. */
export const honestHosts = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  `wns2-par02p.${wildcard}`,
] as const;
export const vendorHost = honestHosts[2];

/** A data centre of the vendor's that answers each push with 503. */
export const busyHost = `wns2-am3p.${wildcard}`;

/** Hosts that nobody has heard of before. */
export function madeUpHosts(count: number): string[] {
  return Array.from({ length: count }, () => `w${randomBytes(6).toString("hex")}.${wildcard}`);
}

export const originOf = (host: string): string => `https://${host}`;

/** Milliseconds by a clock that all processes of the machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
