// @peculiar/x509 refuses to load without it.
import "reflect-metadata";
import { createHash, KeyObject } from "node:crypto";
import { isIP } from "node:net";

import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

export type CertificateAuthority = {
  /** The certificate a client has to trust, PEM. */
  readonly caCertificate: string;
  /** The private key of every certificate issued here, PEM (PKCS #8). */
  readonly leafKey: string;
  /** base64 of the SHA-256 of that key's SubjectPublicKeyInfo: what `--ignore-certificate-errors-spki-list` takes. */
  readonly leafSpkiSha256: string;
  /** A server certificate for these host names and IP addresses, PEM. */
  readonly issue: (hosts: readonly string[]) => Promise<string>;
};

const dayMs = 86_400_000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * A certificate authority for one run of the lab. Every certificate it issues holds the same public key, so one entry in
 * Chromium's list of trusted keys covers all of them. The authority's own private key never leaves this closure: who
 * trusts it for a test run trusts nobody else.
 *
 * @param nowMs real time, also where the rest of the lab runs by a test's clock: TLS checks validity by the real one
 */
export async function createCertificateAuthority({
  nowMs,
  random,
}: {
  nowMs: number;
  random: (bytes: number) => Uint8Array;
}): Promise<CertificateAuthority> {
  const authorityKeys = await generateKeys();
  const leafKeys = await generateKeys();
  const serialNumber = (): string => `01${Buffer.from(random(15)).toString("hex")}`;
  const validity = { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + 365 * dayMs) };

  const authority = await X509CertificateGenerator.createSelfSigned({
    name: `CN=Sineta push lab ${Buffer.from(random(4)).toString("hex")}`,
    serialNumber: serialNumber(),
    ...validity,
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });

  const issue = async (hosts: readonly string[]): Promise<string> => {
    const leaf = await X509CertificateGenerator.create({
      subject: `CN=${hosts[0] ?? "localhost"}`,
      issuer: authority.subject,
      serialNumber: serialNumber(),
      ...validity,
      publicKey: leafKeys.publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(
          hosts.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value }) as const),
        ),
        await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      ],
    });
    return `${leaf.toString("pem")}\n`;
  };

  const spki = await crypto.subtle.exportKey("spki", leafKeys.publicKey);
  return {
    caCertificate: `${authority.toString("pem")}\n`,
    leafKey: KeyObject.from(leafKeys.privateKey).export({ type: "pkcs8", format: "pem" }),
    leafSpkiSha256: createHash("sha256").update(Buffer.from(spki)).digest("base64"),
    issue,
  };
}

// The global Web Crypto, not node:crypto's: a program that also has the DOM's types checks this file, too.
async function generateKeys() {
  return await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}
