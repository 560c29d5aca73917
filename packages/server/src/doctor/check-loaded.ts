import { X509Certificate } from "node:crypto";
import type { DoctorFinding } from "@sineta/protocol";
import { bareHost } from "../bare-host.ts";
import type { Config } from "../config.ts";
import { finding } from "./finding.ts";
import { lookAt } from "./look-at-host.ts";

/**
 * Whether the server shows the certificate that is in the file now: it reads the file at its start.
 * @param url where the server listens on this machine
 */
export async function checkLoaded(
  url: URL,
  tls: Config["tls"],
  signal: AbortSignal,
): Promise<DoctorFinding[]> {
  if (tls === null) return [];
  const { certificate } = await lookAt(bareHost(url), url, { signal });
  const shown = certificate?.certificate.fingerprint256;
  const isLoaded = shown === undefined || shown === new X509Certificate(tls.cert).fingerprint256;
  return isLoaded ? [] : [finding("certificate-not-loaded", url.origin)];
}
