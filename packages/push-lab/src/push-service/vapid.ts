import { createPublicKey, type KeyObject, verify } from "node:crypto";

export type VapidClaims = {
  readonly aud: string;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly sub: string;
};

export type Vapid = {
  /** The public key the sender gave as `k`, base64url. */
  readonly key: string;
  readonly claims: VapidClaims;
};

export type VapidCheck =
  | { readonly vapid: Vapid }
  | {
      readonly mistake: "vapid-unusable" | "vapid-wrong" | "vapid-other-key";
      readonly reason: string;
    };

const longestLifeSeconds = 24 * 60 * 60;
const base64url = /^[A-Za-z0-9_-]+$/;

/**
 * Checks an `Authorization: vapid t=..., k=...` header as the push services do (RFC 8292; the limits of `sub` are Apple's).
 *
 * @param expected the endpoint's origin and the key the subscription was made with (base64url; empty where any key will do)
 */
export function checkVapid(
  authorization: string | undefined,
  expected: { origin: string; applicationServerKey: string; nowMs: number },
): VapidCheck {
  if (authorization === undefined) return unauthorized("the Authorization header is missing");
  const credentials = parseCredentials(authorization);
  if (credentials === undefined)
    return unauthorized(
      "the Authorization header is not of the form: vapid t=<JWT>, k=<public key>",
    );

  const { token, key } = credentials;
  const publicKey = importVapidKey(key);
  if (publicKey === undefined)
    return unauthorized("k is not an uncompressed P-256 public key in base64url");

  const parts = token.split(".");
  const [header, payload, signature] = parts;
  if (
    parts.length !== 3 ||
    header === undefined ||
    payload === undefined ||
    signature === undefined
  )
    return unauthorized("t is not a signed JWT of three parts");
  if (!parts.every((part) => base64url.test(part)))
    return unauthorized("t is not written in base64url without padding");
  if (parseObject(header)?.["alg"] !== "ES256")
    return unauthorized("the JWT's header does not say alg ES256");

  const signed = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!signed) return forbidden("the JWT's signature was not made with the key k");
  if (expected.applicationServerKey !== "" && key !== expected.applicationServerKey)
    return {
      mistake: "vapid-other-key",
      reason: "k is not the key the subscription was made with",
    };

  const claims = parseObject(payload);
  if (claims === undefined) return forbidden("the JWT's payload is not a JSON object");
  const { aud, exp, sub } = claims;
  if (aud !== expected.origin)
    return forbidden(`aud is ${JSON.stringify(aud)}, expected "${expected.origin}"`);
  if (typeof exp !== "number") return forbidden("exp is missing or not a number");
  const nowSeconds = expected.nowMs / 1000;
  if (exp <= nowSeconds) return forbidden("exp is in the past");
  if (exp > nowSeconds + longestLifeSeconds) return forbidden("exp is more than 24 hours ahead");
  if (typeof sub !== "string" || !isContact(sub))
    return forbidden("sub is not a mailto: or https: address, or it is on localhost");

  return { vapid: { key, claims: { aud, exp, sub } } };
}

/** A VAPID public key as browsers and senders write it, or undefined where it is no point of the curve. */
export function importVapidKey(key: string): KeyObject | undefined {
  const point = Buffer.from(key, "base64url");
  // Node decodes leniently; what does not come back the same was padded, cut or in another alphabet.
  if (point.length !== 65 || point[0] !== 4 || point.toString("base64url") !== key)
    return undefined;
  try {
    return createPublicKey({
      key: point,
      format: "raw-public",
      asymmetricKeyType: "ec",
      namedCurve: "P-256",
    });
  } catch {
    return undefined;
  }
}

function parseCredentials(authorization: string): { token: string; key: string } | undefined {
  const [, parameters] = /^vapid +(.*)$/i.exec(authorization) ?? [];
  if (parameters === undefined) return undefined;
  const values = new Map<string, string>();
  for (const parameter of parameters.split(",")) {
    const [, name, value] = /^\s*([a-z]+)=([A-Za-z0-9._-]+)\s*$/.exec(parameter) ?? [];
    if (name === undefined || value === undefined || values.has(name)) return undefined;
    values.set(name, value);
  }
  const token = values.get("t");
  const key = values.get("k");
  return token === undefined || key === undefined ? undefined : { token, key };
}

function parseObject(encoded: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isContact(sub: string): boolean {
  const [, mailHost] = /^mailto:[^@\s]+@([^@\s]+)$/.exec(sub) ?? [];
  if (mailHost !== undefined) return !isLocalhost(mailHost);
  if (!sub.startsWith("https://") || !URL.canParse(sub)) return false;
  return !isLocalhost(new URL(sub).hostname);
}

function isLocalhost(host: string): boolean {
  return /(?:^|\.)localhost$/i.test(host) || host === "127.0.0.1" || host === "[::1]";
}

function unauthorized(reason: string): VapidCheck {
  return { mistake: "vapid-unusable", reason };
}

function forbidden(reason: string): VapidCheck {
  return { mistake: "vapid-wrong", reason };
}
