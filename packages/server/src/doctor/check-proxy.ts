import { clientSecretHeader, limits, type DoctorEcho, type DoctorFinding } from "@sineta/protocol";
import type { Config } from "../config.ts";
import { addressesIn, bareAddress } from "../http/client-address.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import type { Answer, NoAnswer } from "./ask.ts";
import { askForEcho } from "./ask-for-echo.ts";
import { finding } from "./finding.ts";

/** No visitor has it (RFC 5737: TEST-NET-1). */
const madeUpAddress = "192.0.2.77";

/** Headers of pages, programs and operators that the server needs. */
const needed = {
  [clientSecretHeader]: "doctor",
  "Idempotency-Key": "doctor",
  Authorization: "Bearer doctor",
  Cookie: "doctor=1",
};

export type ProxyParts = {
  config: Pick<Config, "tls" | "trustedProxies">;
  publicUrl: URL;
  token: string;
  connect: ConnectOptions;
  signal: AbortSignal;
};

/**
 * Asks at the public address for what arrives at the server.
 * @returns the answer as it is if it does not come from this server
 */
export async function checkProxy(parts: ProxyParts): Promise<DoctorFinding[] | Answer | NoAnswer> {
  const { publicUrl } = parts;
  const headers = { ...needed, Origin: publicUrl.origin, "X-Forwarded-For": madeUpAddress };
  const asking = { ...parts, headers };
  let answer = await askForEcho(publicUrl, { ...asking, body: new Uint8Array(limits.imageBytes) });
  const refused: DoctorFinding[] = [];
  if (answer.kind === "answer" && answer.status === 413) {
    refused.push(finding("proxy-refuses-bodies", publicUrl.origin, String(answer.status)));
    answer = await askForEcho(publicUrl, asking);
  }
  if (answer.kind !== "echo") return answer;
  return [
    finding("public-url-reached", publicUrl.origin),
    ...proxyFindings(answer.echo, Object.keys(headers), parts),
    ...refused,
  ];
}

function proxyFindings(
  echo: DoctorEcho,
  sent: readonly string[],
  { config, publicUrl }: ProxyParts,
): DoctorFinding[] {
  const { origin } = publicUrl;
  const dropped = sent.filter(
    (name) => name !== "X-Forwarded-For" && !echo.headers.includes(name.toLowerCase()),
  );
  const found =
    dropped.length === 0 ? [] : [finding("proxy-drops-headers", origin, dropped.join(", "))];
  const fault = addressFault(echo, { config, publicUrl });
  if (fault !== null) found.push(finding(fault, origin, echo.peer));
  return found.length === 0 ? [finding("proxy-right", origin, echo.address)] : found;
}

function addressFault(
  { peer, address, forwardedFor }: DoctorEcho,
  { config, publicUrl }: Pick<ProxyParts, "config" | "publicUrl">,
) {
  const isBehindProxy =
    forwardedFor !== madeUpAddress || (publicUrl.protocol === "https:" && config.tls === null);
  if (!isBehindProxy) return null;
  if (!addressesIn(config.trustedProxies)(peer)) return "proxy-unnamed";
  if (forwardedFor === null) return "proxy-hides-visitors";
  // The nearest proxy writes at the end.
  const last = bareAddress(forwardedFor.split(",").at(-1)?.trim() ?? "");
  if (last === madeUpAddress) return "proxy-believes-visitors";
  // The setting may be newer than the server.
  return address === peer && last !== peer ? "proxy-unnamed" : null;
}
