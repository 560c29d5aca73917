import { BlockList, isIP } from "node:net";
import type { DoctorFinding } from "@sineta/protocol";
import { clientTakesForLoopback } from "../config-warnings.ts";
import type { Config } from "../config.ts";
import { isNearby } from "../http/client-address.ts";
import { localUrl } from "../projects/origins.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import type { Answer, NoAnswer } from "./ask.ts";
import { checkCertificate } from "./check-certificate.ts";
import { checkProxy } from "./check-proxy.ts";
import { finding } from "./finding.ts";
import { addressesOf, lookAt, type Place } from "./look-at-host.ts";

export type PublicUrlParts = {
  config: Pick<Config, "publicUrl" | "development" | "tls" | "host" | "trustedProxies">;
  /** That is really listened on. */
  port: number;
  /** By which the server knows the doctor; null if no server runs, or if the secret does not open. */
  token: string | null;
  connect: ConnectOptions;
  signal: AbortSignal;
  nowMs: number;
};

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Goes the way of a visitor: name, address, certificate, proxy, server. */
export async function checkPublicUrl(parts: PublicUrlParts): Promise<DoctorFinding[]> {
  const { publicUrl, development } = parts.config;
  if (publicUrl === null) {
    return [
      development
        ? finding("public-url-local")
        : finding("public-url-missing", localUrl(parts.config, parts.port)),
    ];
  }
  const found: DoctorFinding[] = [];
  if (publicUrl.protocol !== "https:" && !clientTakesForLoopback(publicUrl.hostname)) {
    found.push(finding("public-url-insecure", publicUrl.origin));
  }
  const host = publicUrl.hostname.replace(/^\[|\]$/g, "");
  const resolved = await addressesOf(host, parts.connect.lookup);
  if ("fault" in resolved) return [...found, finding("name-unknown", host, resolved.fault)];
  const { connect, signal } = parts;
  const places = await Promise.all(
    resolved.addresses.map((address) =>
      lookAt(address, publicUrl, {
        ...(connect.ca === undefined ? {} : { ca: connect.ca }),
        signal,
      }),
    ),
  );
  found.push(...nameFindings(host, places));
  const alive = places.find(({ fault }) => fault === null);
  const certificate = alive?.certificate ?? null;
  if (certificate !== null) found.push(checkCertificate(host, certificate, parts.nowMs));
  if (parts.token === null) return [...found, finding("public-url-not-asked", publicUrl.origin)];
  if (alive === undefined) {
    found.push(finding("public-url-silent", publicUrl.origin, places[0]?.fault ?? null));
    return found;
  }
  const asked = await checkProxy({ ...parts, publicUrl, token: parts.token });
  return [...found, ...(Array.isArray(asked) ? asked : [absence(publicUrl, asked)])];
}

/** @param places all addresses of the host */
export function nameFindings(host: string, places: readonly Place[]): DoctorFinding[] {
  const all = places.map(({ address }) => address).join(", ");
  const addresses = places.map(({ address }) => address);
  if (isIP(host) !== 0 || clientTakesForLoopback(host)) return [];
  if (addresses.some(isLoopback)) return [finding("name-local", host, all)];
  const isAlive = places.some(({ fault }) => fault === null);
  const dead = places.filter(({ fault }) => fault !== null && !outOfReach.has(fault));
  return [
    finding(addresses.every(isNearby) ? "name-private" : "name-resolves", host, all),
    // Where nothing answers at all, that is told once.
    ...(isAlive ? dead.map(({ address }) => finding("address-dead", host, address)) : []),
  ];
}

/** A machine without IPv6, for example, cannot tell whether something is there. */
const outOfReach: ReadonlySet<string> = new Set(["ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"]);

function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** What there is in place of this server. */
function absence(publicUrl: URL, answer: Answer | NoAnswer): DoctorFinding {
  const { origin } = publicUrl;
  if (answer.kind === "none") return finding("public-url-silent", origin, answer.why);
  const { location } = answer.headers;
  return answer.status >= 300 && answer.status < 400 && location !== undefined
    ? finding("public-url-redirects", origin, location)
    : finding("public-url-foreign", origin, `status ${answer.status}`);
}
