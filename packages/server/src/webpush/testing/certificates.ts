import "./reflect-metadata.ts";
import { KeyObject, webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

export type TestCertificates = {
  /** What a client has to trust, PEM. */
  readonly ca: string;
  /** What a server shows: for these host names, PEM. */
  readonly cert: string;
  readonly key: string;
};

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** A certificate authority made for one test run, and a server certificate it issued. */
export async function makeCertificates(hosts: readonly string[]): Promise<TestCertificates> {
  const dayMs = 86_400_000;
  const validity = {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
  };
  const caKeys = await generateKeys();
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: "CN=Sineta test authority",
    serialNumber: "01",
    ...validity,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  const serverKeys = await generateKeys();
  const server = await X509CertificateGenerator.create({
    subject: "CN=push service",
    issuer: ca.subject,
    serialNumber: "02",
    ...validity,
    publicKey: serverKeys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: "dns", value }))),
    ],
  });
  return {
    ca: ca.toString("pem"),
    cert: server.toString("pem"),
    key: KeyObject.from(serverKeys.privateKey).export({ type: "pkcs8", format: "pem" }),
  };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}
