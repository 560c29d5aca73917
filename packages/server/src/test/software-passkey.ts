/**
 * An authenticator and the browser in front of it, in a few lines: for answers that no real one gives, and for times that
 * nobody waits for. Chromium's own is what e2e/passkeys.spec.ts logs in with.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { z } from "zod";

const creationSchema = z.object({ challenge: z.string(), user: z.object({ id: z.string() }) });
const requestSchema = z.object({ challenge: z.string() });

/** How an answer differs from a right one. */
export type Twist = {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** User present 0x01, user verified 0x04 (WebAuthn Level 3, section 6.1). */
  flags?: number;
  counter?: number;
  userHandle?: string | null;
  credentialId?: string;
  /** Who vouches for the passkey (section 8.2): itself, or whoever has the certificate. Default: nobody. */
  attestedBy?: "itself" | { certificate: Uint8Array; key: KeyObject };
};

/** What an authenticator has to keep to stay the same one. */
export type KeptPasskey = {
  /** PKCS #8, base64url. */
  key: string;
  id: string;
  handle: string;
  counter: number;
};

/** @param kept what another one gave by `keep`: this one goes on in its place */
export function softwarePasskey(home: { origin: string; rpId: string }, kept?: KeptPasskey) {
  const privateKey =
    kept === undefined
      ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
      : createPrivateKey({
          key: Buffer.from(kept.key, "base64url"),
          format: "der",
          type: "pkcs8",
        });
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const ownId = kept === undefined ? randomBytes(32) : Buffer.from(kept.id, "base64url");
  let handle = kept?.handle ?? "";
  let counter = kept?.counter ?? 0;

  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? home.origin,
        crossOrigin: false,
      }),
    );
  function authenticatorData(flags: number, twist: Twist): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(twist.counter ?? (counter += 1));
    const host = hash(twist.rpId ?? home.rpId);
    return Buffer.concat([host, Buffer.from([flags]), count]);
  }

  return {
    keep: (): KeptPasskey => ({
      key: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64url"),
      id: ownId.toString("base64url"),
      handle,
      counter,
    }),

    /** As `navigator.credentials.create()` gives it. */
    make(options: unknown, twist: Twist = {}) {
      const { challenge, user } = creationSchema.parse(options);
      handle = user.id;
      // RFC 9053, section 7.1.1: an EC2 key for ES256.
      const coseKey = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(jwk.x ?? "", "base64url"))],
        [-3, new Uint8Array(Buffer.from(jwk.y ?? "", "base64url"))],
      ]);
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(ownId.length);
      const authData = Buffer.concat([
        authenticatorData((twist.flags ?? 0x05) | 0x40, twist),
        Buffer.alloc(16),
        idLength,
        ownId,
        isoCBOR.encode(coseKey),
      ]);
      const json = clientData("webauthn.create", challenge, twist);
      const { attestedBy } = twist;
      const signedBy =
        attestedBy === undefined || attestedBy === "itself" ? privateKey : attestedBy.key;
      const signature = new Uint8Array(
        sign("sha256", Buffer.concat([authData, hash(json)]), signedBy),
      );
      const attStmt = new Map<string, unknown>();
      if (attestedBy !== undefined) attStmt.set("alg", -7).set("sig", signature);
      if (typeof attestedBy === "object") attStmt.set("x5c", [attestedBy.certificate]);
      const attestation = new Map<string, unknown>([
        ["fmt", attestedBy === undefined ? "none" : "packed"],
        ["attStmt", attStmt],
        ["authData", new Uint8Array(authData)],
      ]);
      return {
        ...credentialOf(twist.credentialId ?? ownId.toString("base64url")),
        response: {
          clientDataJSON: json.toString("base64url"),
          attestationObject: Buffer.from(encodeMap(attestation)).toString("base64url"),
          transports: ["internal", "of the future!"],
        },
      };
    },

    /** As `navigator.credentials.get()` gives it. */
    use(options: unknown, twist: Twist = {}) {
      const json = clientData("webauthn.get", requestSchema.parse(options).challenge, twist);
      const data = authenticatorData(twist.flags ?? 0x05, twist);
      const signed = Buffer.concat([data, hash(json)]);
      return {
        ...credentialOf(twist.credentialId ?? ownId.toString("base64url")),
        response: {
          clientDataJSON: json.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: sign("sha256", signed, privateKey).toString("base64url"),
          userHandle: twist.userHandle === undefined ? handle : twist.userHandle,
        },
      };
    },
  };
}

function hash(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} };
}

function encodeMap(map: Map<string, unknown>): Uint8Array {
  // The library's own type of what CBOR holds is not exported.
  return Reflect.apply(isoCBOR.encode, undefined, [map]);
}
