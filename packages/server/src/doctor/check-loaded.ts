import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { DoctorFinding } from "@sineta/protocol";
import type { Config } from "../config.ts";
import { finding } from "./finding.ts";

/** Whether the server shows the certificate that is in the file now: it reads the file at its start. */
export async function checkLoaded(
  url: URL,
  tls: Config["tls"],
  signal: AbortSignal,
): Promise<DoctorFinding[]> {
  if (tls === null) return [];
  const shown = await shownAt(url, signal);
  if (shown === null || shown === new X509Certificate(tls.cert).fingerprint256) return [];
  return [finding("certificate-not-loaded", url.origin)];
}

function shownAt(url: URL, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false });
    const settle = (fingerprint: string | null) => {
      resolve(fingerprint);
      socket.destroy();
    };
    socket.once("secureConnect", () => settle(socket.getPeerCertificate().fingerprint256));
    socket.on("error", () => settle(null));
    signal.addEventListener("abort", () => settle(null), { once: true });
  });
}
