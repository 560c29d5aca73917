import { diffieHellman, generateKeyPairSync } from "node:crypto";
import { opensslAgreement } from "./openssl/agreement.ts";
import { curve, importPublicKey, type KeyAgreement } from "./p256.ts";

/** By what node:crypto documents. */
export const nodeAgreement: KeyAgreement = (peer) => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    ...curve,
    publicKeyEncoding: { format: "raw-public" },
  });
  return { publicKey, secret: diffieHellman({ privateKey, publicKey: importPublicKey(peer) }) };
};

let fastest: KeyAgreement | undefined;

/** As fast as this Node can, which is found out at the first call: few threads ever seal. */
export const agreeOnSecret: KeyAgreement = (peer) => {
  fastest ??= opensslAgreement(nodeAgreement) ?? nodeAgreement;
  return fastest(peer);
};
