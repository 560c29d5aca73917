/** What each setting may be: pure readers from text to value, undefined where the text cannot be used. */
import { isIP, isIPv6 } from "node:net";
import { limits, linkAddress, pageOriginOf } from "@sineta/protocol";
import { compile } from "proxy-addr";
import type { PushRoute } from "./webpush/endpoint.ts";

export type PushHost = { host: string; port: number };

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export function readHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(bare) === 0 && !isHostName(bare)) return undefined;
  // No page has such an address: 256.256.256.256, foo.123, or an IPv6 address with a zone.
  return URL.canParse(`http://${isIPv6(bare) ? `[${bare}]` : bare}`) ? bare : undefined;
}

/** Port 0 stands for any free port. */
export function readPort(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : undefined;
}

/** An origin: http or https, without path, query or user. */
export function readPublicUrl(text: string): URL | undefined {
  const origin = pageOriginOf(text);
  return origin === null ? undefined : new URL(origin);
}

/** Without those that are named twice. */
export function readOrigins(text: string): string[] | undefined {
  const origins = readList(text, (item) => pageOriginOf(item) ?? undefined);
  const unique = [...new Set(origins)];
  return origins === undefined || unique.length > limits.originsPerProject ? undefined : unique;
}

/**
 * As a URL parser would write it, an origin without its slash (RFC 8292, section 2.1). Apple refuses localhost
 * (403 BadJwtToken).
 */
export function readVapidSubject(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null) return undefined;
  if (url.protocol === "https:") {
    if (isLocalName(url.hostname) || linkAddress(text, url.origin) === null) return undefined;
    return url.href === `${url.origin}/` ? url.origin : url.href;
  }
  if (url.protocol !== "mailto:") return undefined;
  const domain = /^[^@\s]+@([^@\s]+)$/.exec(url.pathname)?.[1];
  return domain === undefined || isLocalName(domain) ? undefined : url.href;
}

export function readPushHosts(text: string): PushHost[] | undefined {
  return readList(text, readHostAndPort);
}

/** `host[:port]=address:port`; an IPv6 address stands in brackets. */
export function readPushRoutes(text: string): PushRoute[] | undefined {
  return readList(text, (item) => {
    const [from, to, ...rest] = item.split("=");
    if (from === undefined || to === undefined || rest.length > 0) return undefined;
    const target = readHostAndPort(from);
    const place = /^(.+):(\d{1,5})$/.exec(to);
    const address = place?.[1] === undefined ? undefined : readHost(place[1]);
    const addressPort = place?.[2] === undefined ? undefined : readPort(place[2]);
    if (target === undefined || address === undefined || !addressPort) return undefined;
    return { ...target, address, addressPort };
  });
}

/** Addresses and blocks, each also as `loopback`, `linklocal` or `uniquelocal`. */
export function readTrustedProxies(text: string): string[] | undefined {
  return readList(text, (item) => {
    try {
      compile(item);
      // A whole family of addresses would believe anybody.
      return /\/0+$/.test(item) ? undefined : item;
    } catch {
      return undefined;
    }
  });
}

/** @returns a reader of whole numbers within these bounds */
export function readCount(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const count = Number(text);
    return /^\d+$/.test(text) && count >= least && count <= most ? count : undefined;
  };
}

export function readLogLevel(text: string): LogLevel | undefined {
  return logLevels.find((level) => level === text);
}

function isLocalName(name: string): boolean {
  const host = name.toLowerCase().replace(/\.+$/, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host.endsWith(".local") ||
    isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0
  );
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
}

/** Port 443 unless one is given. No endpoint is at an IP address, so none may be given, however it is written. */
function readHostAndPort(text: string): PushHost | undefined {
  const [host, port, ...rest] = text.toLowerCase().split(":");
  if (host === undefined || !isHostName(host) || rest.length > 0) return undefined;
  if (isIP(host) !== 0 || URL.parse(`https://${host}`)?.hostname !== host) return undefined;
  const number = port === undefined ? 443 : readPort(port);
  return number === undefined || number === 0 ? undefined : { host, port: number };
}

function readList<Item>(
  text: string,
  read: (item: string) => Item | undefined,
): Item[] | undefined {
  const items = text.split(",").map((item) => read(item.trim()));
  return items.every((item) => item !== undefined) ? items : undefined;
}
