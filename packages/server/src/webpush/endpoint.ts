import { isIP } from "node:net";
import { limits } from "@sineta/protocol/limits";
import { knownPushServiceAt, type PushService } from "./push-hosts.ts";

/** A push service allowed beyond the known ones (SINETA_PUSH_HOSTS): this host at this port, 443 if none is said. */
export type PushHost = { readonly host: string; readonly port?: number };

/**
 * Reach `host:port` at `address:addressPort` instead of where DNS says (SINETA_PUSH_ROUTES). It allows no host; it
 * allows an allowed host to be at an address that is not public.
 */
export type PushRoute = {
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly addressPort: number;
};

export type EndpointPolicy = {
  readonly hosts: readonly PushHost[];
  readonly routes: readonly PushRoute[];
};

/** Where a push goes: what is left of an endpoint once it has been found to be allowed. */
export type PushTarget = {
  readonly service: PushService;
  /** Scheme, host, and port unless it is 443: the audience of a VAPID token, and what connections are shared by. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Path and query, as the push service wrote them. */
  readonly path: string;
  readonly route: PushRoute | null;
};

/** Why an endpoint is not allowed: stable codes, each with what it means. None repeats the endpoint, which is a secret. */
export const endpointRefusals = {
  "too-long": "it has over 2,048 characters",
  /** Another reader could see another host in it. */
  malformed: "it is no URL, or not spelled as a browser's URL parser writes it",
  "not-https": "it is no https address",
  "user-info": "it holds a user name or a password",
  fragment: "it has a fragment (#)",
  "ip-address": "its host is an IP address",
  "unknown-host":
    "its host is neither a known push service's nor one that SINETA_PUSH_HOSTS allows",
  "wrong-port": "its host is allowed, its port is not",
} as const;

export type EndpointRefusal = keyof typeof endpointRefusals;

export type CheckedEndpoint =
  | { readonly ok: true; readonly target: PushTarget }
  | { readonly ok: false; readonly reason: EndpointRefusal };

const httpsPort = 443;

/** An endpoint without `:443`, which a URL parser drops from an https address. Anything else stays as it is. */
export function withoutHttpsPort(endpoint: string): string {
  return endpoint.replace(/^(https:\/\/[^/?#@\\]*):443(?=\/)/, "$1");
}

/**
 * Decides whether a push may be sent to an endpoint. An endpoint comes from a browser, that is from anybody, so this
 * is asked at registration and again before each push; what a name resolves to is checked in address.ts.
 */
export function checkEndpoint(endpoint: string, policy: EndpointPolicy): CheckedEndpoint {
  if (endpoint.length > limits.endpointCharacters) return refuse("too-long");
  const before = latest?.policy === policy ? latest.target : null;
  if (before !== null && isPlainlyAt(before.origin, endpoint)) {
    return { ok: true, target: { ...before, path: endpoint.slice(before.origin.length) } };
  }
  const checked = checkAnew(endpoint, policy);
  if (checked.ok) latest = { policy, target: checked.target };
  return checked;
}

/** A broadcast asks for one origin a million times. */
let latest: { policy: EndpointPolicy; target: PushTarget } | null = null;

/** What a URL parser keeps as it is: no dot, so no path that leads upwards, no escape, no backslash, no tab. */
const plainPath = /^\/[\w:~=+,/?&-]*$/;

/** Whether the endpoint is at this origin, and so plain that a URL parser would say the same. */
function isPlainlyAt(origin: string, endpoint: string): boolean {
  return endpoint.startsWith(origin) && plainPath.test(endpoint.slice(origin.length));
}

function checkAnew(endpoint: string, policy: EndpointPolicy): CheckedEndpoint {
  const url = URL.parse(endpoint);
  if (url === null) return refuse("malformed");
  if (url.protocol !== "https:") return refuse("not-https");
  if (url.username !== "" || url.password !== "") return refuse("user-info");
  if (endpoint.includes("#")) return refuse("fragment");
  // The parser mends a lot (tabs, backslashes, capitals, full-width letters, 0x7f.1, an empty user): what it would
  // write differently is refused, so that everything after this reads the same host that is checked here.
  if (url.href !== endpoint) return refuse("malformed");

  const host = url.hostname;
  if (isIP(host) !== 0 || host.startsWith("[")) return refuse("ip-address");
  const port = url.port === "" ? httpsPort : Number(url.port);
  const known = knownPushServiceAt(host);
  const configured = policy.hosts.filter((each) => each.host === host);
  if (known === null && configured.length === 0) return refuse("unknown-host");
  const allowed =
    (known !== null && port === httpsPort) ||
    configured.some((each) => (each.port ?? httpsPort) === port);
  if (!allowed) return refuse("wrong-port");
  return {
    ok: true,
    target: {
      service: known ?? "other",
      origin: url.origin,
      host,
      port,
      path: endpoint.slice(url.origin.length),
      route: policy.routes.find((each) => each.host === host && each.port === port) ?? null,
    },
  };
}

function refuse(reason: EndpointRefusal): CheckedEndpoint {
  return { ok: false, reason };
}
