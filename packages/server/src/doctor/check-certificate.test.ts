import { expect, test } from "vitest";
import { checkCertificate } from "./check-certificate.ts";

const dayMs = 86_400_000;
const nowMs = Date.parse("2026-12-01T12:00:00Z");
const host = "avisos.example.com";

/** As Node gives it: valid for so many days, of which so many are left. */
const shown = (days: number, leftDays: number, fault: string | null = null) => ({
  fault,
  certificate: {
    valid_from: new Date(nowMs + (leftDays - days) * dayMs).toUTCString(),
    valid_to: new Date(nowMs + leftDays * dayMs).toUTCString(),
    fingerprint256: "",
    subjectaltname: "DNS:example.com, DNS:*.example.net, IP Address:192.0.2.1",
  },
});

test.for([
  ["with a month left", shown(90, 30), "certificate-valid"],
  ["with 14 days left", shown(90, 14), "certificate-valid"],
  ["with 13 days left", shown(90, 13), "certificate-ends-soon"],
  ["for six days, with three left", shown(6, 3), "certificate-valid"],
  ["for six days, with one left", shown(6, 1), "certificate-ends-soon"],
  ["that ended", shown(90, -1, "CERT_HAS_EXPIRED"), "certificate-ended"],
  ["that ends now", shown(90, 0), "certificate-ended"],
  ["for another host", shown(90, 60, "ERR_TLS_CERT_ALTNAME_INVALID"), "certificate-elsewhere"],
  ["without its chain", shown(90, 60, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "certificate-incomplete"],
  ["signed by itself", shown(90, 60, "DEPTH_ZERO_SELF_SIGNED_CERT"), "certificate-untrusted"],
] as const)("a certificate %s", ([, certificate, code]) => {
  expect(checkCertificate(host, certificate, nowMs)).toMatchObject({ code, subject: host });
});

test("tells when a certificate ends, and which hosts it names", () => {
  const end = "2026-12-13T12:00:00.000Z";
  expect(checkCertificate(host, shown(90, 12), nowMs).seen).toBe(end);
  const other = shown(90, 60, "ERR_TLS_CERT_ALTNAME_INVALID");
  expect(checkCertificate(host, other, nowMs).seen).toBe("example.com, *.example.net, 192.0.2.1");
});
