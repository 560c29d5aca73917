import type { PeerCertificate } from "node:tls";
import type { DoctorFinding } from "@sineta/protocol";
import { finding } from "./finding.ts";

/** A certificate as a server showed it. */
export type ShownCertificate = {
  /** Code of what Node finds wrong with it; null if it would trust it. */
  fault: string | null;
  certificate: Pick<
    PeerCertificate,
    "valid_from" | "valid_to" | "subjectaltname" | "fingerprint256"
  >;
};

const dayMs = 24 * 60 * 60 * 1000;
/** Authorities' programs renew a certificate when a third of its time is left. */
const soonMs = 14 * dayMs;
const soonShare = 1 / 5;

/** The certificate came alone, and no known authority signed it (Node's documentation, "X509 certificate error codes"). */
const cameAlone = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";

/** @param host of SINETA_PUBLIC_URL */
export function checkCertificate(
  host: string,
  { fault, certificate }: ShownCertificate,
  nowMs: number,
): DoctorFinding {
  const fromMs = Date.parse(certificate.valid_from);
  const toMs = Date.parse(certificate.valid_to);
  const end = Number.isNaN(toMs) ? certificate.valid_to : new Date(toMs).toISOString();
  if (toMs <= nowMs) return finding("certificate-ended", host, end);
  if (fault === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return finding("certificate-elsewhere", host, namesOf(certificate));
  }
  if (fault === cameAlone) return finding("certificate-incomplete", host, fault);
  if (fault !== null) return finding("certificate-untrusted", host, fault);
  const leftMs = toMs - nowMs;
  return leftMs < soonMs && leftMs < (toMs - fromMs) * soonShare
    ? finding("certificate-ends-soon", host, end)
    : finding("certificate-valid", host, end);
}

function namesOf({ subjectaltname }: ShownCertificate["certificate"]): string {
  const names = subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, "") ?? "";
  return names === "" ? "no host" : names;
}
