/**
 * Who runs a push service, as batches, quirks and figures tell them apart. `other` is a host that the operator
 * configured.
 */
export type PushService = "fcm" | "mozilla" | "apple" | "windows" | "other";

type KnownPushHost = {
  readonly service: Exclude<PushService, "other">;
  /** One host, or a dot and a domain: every host that ends in it. */
  readonly host: string;
};

/**
 * The hosts that browsers get endpoints on. A whole domain stands only where its vendor keeps nothing but the push
 * service in it; googleapis.com, where anybody's services live, is not such a one.
 */
const knownPushHosts: readonly KnownPushHost[] = [
  // Chrome, Brave, Opera, Samsung Internet, and Edge where it is built on FCM.
  { service: "fcm", host: "fcm.googleapis.com" },
  // Development builds of Chromium.
  { service: "fcm", host: "jmt17.google.com" },
  // Firefox: updates.push.services.mozilla.com, and its other stages and regions beside it.
  { service: "mozilla", host: ".push.services.mozilla.com" },
  // Safari: web.push.apple.com, and whatever name Apple puts beside it.
  { service: "apple", host: ".push.apple.com" },
  // Edge on Windows: one host per data centre, such as wns2-par02p.notify.windows.com.
  { service: "windows", host: ".notify.windows.com" },
];

/** A name that DNS can hold (RFC 1035, section 2.3.4): URL parsers also take empty and overlong labels. */
const namePattern = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/;

/** What decides which push service a host is. */
export const pushHostRules: string = JSON.stringify(knownPushHosts);

/** @param host in lower case, without a dot at its end; null if no vendor's push service is there */
export function knownPushServiceAt(host: string): PushService | null {
  if (host.length > 253 || !namePattern.test(host)) return null;
  for (const known of knownPushHosts) {
    if (known.host.startsWith(".") ? host.endsWith(known.host) : host === known.host) {
      return known.service;
    }
  }
  return null;
}

/**
 * The hosts of a push service: one host, or a dot and a domain for every host that ends in it. `none`: whatever is at
 * none of them, for `other`.
 */
export function pushHostsOf(service: PushService): { hosts: readonly string[]; none: boolean } {
  const none = service === "other";
  const hosts = knownPushHosts.filter((known) => none || known.service === service);
  return { hosts: hosts.map(({ host }) => host), none };
}

/** @param pushOrigin scheme, host and port, as a registration keeps it */
export function pushServiceOf(pushOrigin: string): PushService {
  const host = URL.parse(pushOrigin)?.hostname ?? "";
  return knownPushServiceAt(host) ?? "other";
}

/**
 * What deliveries to a push origin take turns with: all of a vendor's, or the origin itself if an operator allowed its
 * host.
 */
export function pushServiceNameOf(pushOrigin: string): string {
  const service = pushServiceOf(pushOrigin);
  return service === "other" ? pushOrigin : service;
}

/** Whose push service this name (`pushServiceNameOf`) stands for. */
export function vendorOf(pushServiceName: string): PushService {
  return knownPushHosts.find(({ service }) => service === pushServiceName)?.service ?? "other";
}

/** Whether the host is one of those that a vendor names by a wildcard: anybody can make up another one. */
export function isBelowWildcard(pushOrigin: string): boolean {
  const host = URL.parse(pushOrigin)?.hostname ?? "";
  return knownPushServiceAt(host) !== null && !knownPushHosts.some((known) => known.host === host);
}
