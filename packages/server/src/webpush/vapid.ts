import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { decodeBase64url } from "./base64url.ts";
import { curve, importPrivateKey, privateKeyBytes, publicKeyBytes } from "./p256.ts";

/** A VAPID key, ready to sign (RFC 8292). */
export type VapidKeys = {
  /** base64url of the 65 bytes that a page hands to `subscribe` as its `applicationServerKey`. */
  readonly publicKey: string;
  readonly signingKey: KeyObject;
};

/** Makes a VAPID key, as text to be kept: base64url of 65 and of 32 bytes. */
export function generateVapidKeys(): { publicKey: string; privateKey: string } {
  const pair = generateKeyPairSync("ec", {
    ...curve,
    publicKeyEncoding: { format: "raw-public" },
    privateKeyEncoding: { format: "raw-private" },
  });
  return {
    publicKey: pair.publicKey.toString("base64url"),
    privateKey: pair.privateKey.toString("base64url"),
  };
}

/**
 * Opens a kept VAPID key.
 * @param publicKey base64url of 65 bytes
 * @param privateKey base64url of 32 bytes
 * @throws TypeError if either is not what it should be, or if they do not belong together
 */
export function importVapidKeys(publicKey: string, privateKey: string): VapidKeys {
  const point = decodeBase64url(publicKey, publicKeyBytes);
  if (point === null) throw new TypeError("a VAPID public key is base64url of 65 bytes");
  const scalar = decodeBase64url(privateKey, privateKeyBytes);
  if (scalar === null) throw new TypeError("a VAPID private key is base64url of 32 bytes");
  const signingKey = openScalar(scalar);
  const own = createPublicKey(signingKey).export({ format: "raw-public" });
  if (!own.equals(point)) {
    throw new TypeError("the VAPID public and private key do not belong together");
  }
  return { publicKey, signingKey };
}

export type VapidTokens = {
  /**
   * The value of the Authorization header for a push (RFC 8292, section 3).
   * @param origin of the endpoint: scheme, host, and port unless it is 443
   */
  readonly authorization: (origin: string, keys: VapidKeys) => string;
};

/** RFC 8292, section 2 allows 24 hours. Half of it leaves as much room for clocks that are wrong as it can. */
const lifetimeSeconds = 12 * 60 * 60;

/**
 * A token is used while it has between 6 and 18 hours left by our clock.
 *
 * Signed with 12 hours left, it is replaced at 6. A clock that is stepped by less than 6 hours either way changes
 * nothing. Stepped further ahead, the token counts as old; stepped further back, `exp` would come near or over the
 * 24 hours that push services allow. Either way two signatures stand at least 6 hours apart by the clock they are
 * made by, so the once an hour that push services ask for holds.
 */
const leastLeftSeconds = 6 * 60 * 60;
const mostLeftSeconds = 18 * 60 * 60;

const header = encodeJson({ typ: "JWT", alg: "ES256" });

/**
 * Signs VAPID tokens and keeps them, one per push origin and key.
 * @param subject who answers for the pushes: `mailto:` or `https:` (RFC 8292, section 2.1)
 * @param now epoch, milliseconds
 * @param most tokens kept; the one used longest ago goes first. Any browser may bring a new subdomain of a push
 *   service, so their number has to have a bound.
 */
export function createVapidTokens({
  subject,
  now,
  most = 1_000,
}: {
  subject: string;
  now: () => number;
  most?: number;
}): VapidTokens {
  const kept = new Map<string, { value: string; expSeconds: number }>();
  /** What is asked for nearly always: the one that was asked for before. */
  let last = { origin: "", publicKey: "", nowSeconds: 0, value: "" };

  return {
    authorization(origin, keys) {
      const nowSeconds = Math.floor(now() / 1000);
      if (
        last.origin === origin &&
        last.publicKey === keys.publicKey &&
        last.nowSeconds === nowSeconds
      ) {
        return last.value;
      }
      const name = `${origin} ${keys.publicKey}`;
      let token = kept.get(name);
      const left = token === undefined ? 0 : token.expSeconds - nowSeconds;
      if (token === undefined || left < leastLeftSeconds || left > mostLeftSeconds) {
        const expSeconds = nowSeconds + lifetimeSeconds;
        const jwt = signToken({ aud: origin, exp: expSeconds, sub: subject }, keys.signingKey);
        token = { value: `vapid t=${jwt}, k=${keys.publicKey}`, expSeconds };
      }
      // A Map iterates in the order of insertion: putting the used one last keeps the least used one first.
      kept.delete(name);
      kept.set(name, token);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
      last = { origin, publicKey: keys.publicKey, nowSeconds, value: token.value };
      return token.value;
    },
  };
}

/** A JWT signed with ES256, whose signature is the bare r and s (RFC 7518, section 3.4). */
function signToken(claims: { aud: string; exp: number; sub: string }, key: KeyObject): string {
  const signed = `${header}.${encodeJson(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function openScalar(scalar: Uint8Array): KeyObject {
  try {
    return importPrivateKey(scalar);
  } catch (cause) {
    throw new TypeError("the VAPID private key is not one of P-256", { cause });
  }
}
