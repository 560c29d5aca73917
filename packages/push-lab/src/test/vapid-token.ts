import { createPrivateKey, sign } from "node:crypto";

export type KeyPair = { readonly publicKey: string; readonly privateKey: string };

/** A JWT of any header and claims, signed with a VAPID key pair in base64url. */
export function signToken(
  keys: KeyPair,
  claims: object,
  header: object = { typ: "JWT", alg: "ES256" },
): string {
  const point = Buffer.from(keys.publicKey, "base64url");
  const key = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
      d: keys.privateKey,
    },
  });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}
