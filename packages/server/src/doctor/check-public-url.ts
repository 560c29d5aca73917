import { isIP, type LookupFunction } from "node:net";
import type { DoctorFinding } from "@sineta/protocol";
import { bareHost } from "../bare-host.ts";
import { clientTakesForLoopback } from "../config-warnings.ts";
import type { Config } from "../config.ts";
import { addressesIn, isNearby } from "../http/client-address.ts";
import { localUrl } from "../projects/origins.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import { timedOut, type Answer, type NoAnswer } from "./ask.ts";
import { checkCertificate } from "./check-certificate.ts";
import { checkProxy } from "./check-proxy.ts";
import { finding } from "./finding.ts";
import { addressesOf, lookAt, type Place } from "./look-at-host.ts";

export type PublicUrlParts = {
  config: Pick<Config, "publicUrl" | "development" | "tls" | "host">;
  /** That is really listened on. */
  port: number;
  /** By which the server knows the doctor; null if no server runs, or if the secret does not open. */
  token: string | null;
  connect: ConnectOptions;
  nowMs: number;
};

/** A name or an address that is silent must not take the time of those that answer. */
const lookMs = 4_000;
const askMs = 6_000;
const mostAddresses = 8;

const isLoopback = addressesIn(["loopback"]);

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
  const host = bareHost(publicUrl);
  const { connect, nowMs } = parts;
  const resolved = await addressesOf(host, connect.lookup, AbortSignal.timeout(lookMs));
  if ("fault" in resolved) return [...found, finding("name-unknown", host, resolved.fault)];
  const ca = connect.ca === undefined ? {} : { ca: connect.ca };
  const places = await Promise.all(
    resolved.addresses
      .slice(0, mostAddresses)
      .map((address) => lookAt(address, publicUrl, { ...ca, signal: AbortSignal.timeout(lookMs) })),
  );
  const certificates = places.flatMap(({ certificate }) =>
    certificate === null ? [] : [checkCertificate(host, certificate, nowMs)],
  );
  const alive = places.filter(({ fault }) => fault === null);
  return [
    ...found,
    ...nameFindings(host, places),
    ...onceEach(certificates),
    ...(await askedAt(alive, places[0]?.fault ?? null, { ...parts, publicUrl })),
  ];
}

/** Asks at each address where something answers. */
async function askedAt(
  alive: readonly Place[],
  fault: string | null,
  parts: PublicUrlParts & { publicUrl: URL },
): Promise<DoctorFinding[]> {
  const { publicUrl, token } = parts;
  const { origin } = publicUrl;
  if (token === null) return [finding("public-url-not-asked", origin)];
  if (alive.length === 0) return [silence(origin, fault ?? "no address")];
  const answers = alive.map(async ({ address }) => {
    const family = isIP(address);
    const lookup: LookupFunction = (_host, { all }, give) => {
      if (all === true) give(null, [{ address, family }]);
      else give(null, address, family);
    };
    const signal = AbortSignal.timeout(askMs);
    const asked = await checkProxy({ ...parts, token, signal, connect: { lookup } });
    return Array.isArray(asked) ? asked : [absence(publicUrl, asked)];
  });
  return onceEach((await Promise.all(answers)).flat());
}

/** A host has several addresses, and mostly the same is found at each. */
function onceEach(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
}

/** Where nothing listens, the machine or the proxy is at fault. A machine may have no way to its own public address. */
function silence(origin: string, fault: string): DoctorFinding {
  const isUnreachable = outOfReach.has(fault) || fault === "EHOSTUNREACH" || fault === timedOut;
  return finding(isUnreachable ? "public-url-unreachable" : "public-url-silent", origin, fault);
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

/** What there is in place of this server. */
function absence(publicUrl: URL, answer: Answer | NoAnswer): DoctorFinding {
  const { origin } = publicUrl;
  if (answer.kind === "none") return silence(origin, answer.why);
  const next = URL.parse(answer.headers.location ?? "", publicUrl)?.origin ?? origin;
  return answer.status >= 300 && answer.status < 400 && next !== origin
    ? finding("public-url-redirects", origin, next)
    : finding("public-url-foreign", origin, `status ${answer.status}`);
}
