import { networkInterfaces } from "node:os";
import { clientSecretHeader, limits, type DoctorEcho, type DoctorFinding } from "@sineta/protocol";
import type { Config } from "../config.ts";
import { bareAddress } from "../http/client-address.ts";
import { workerPath } from "../http/site.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import { ask, type Answer, type NoAnswer } from "./ask.ts";
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
  config: Pick<Config, "tls">;
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
    ...(await pathFindings(parts)),
    ...proxyFindings(answer.echo, Object.keys(headers), parts),
    ...refused,
  ];
}

/** Paths of Sineta beside those of the API, and the type of what is there. */
const otherPaths = { "/painel": "text/html", [workerPath]: "text/javascript" };

async function pathFindings({ publicUrl, signal, connect }: ProxyParts): Promise<DoctorFinding[]> {
  const asked = Object.entries(otherPaths).map(async ([path, type]) => {
    const answer = await ask(new URL(path, publicUrl), { signal, connect });
    const isThere =
      answer.kind === "answer" &&
      answer.status === 200 &&
      answer.headers["content-type"]?.startsWith(type) === true;
    return isThere ? [] : [finding("public-url-partly", publicUrl.origin, path)];
  });
  return (await Promise.all(asked)).flat();
}

function proxyFindings(
  echo: DoctorEcho,
  sent: readonly string[],
  { config, publicUrl }: ProxyParts,
): DoctorFinding[] {
  const { origin, host } = publicUrl;
  const found: DoctorFinding[] = [];
  const dropped = sent.filter(
    (name) => name !== "X-Forwarded-For" && !echo.headers.includes(name.toLowerCase()),
  );
  if (dropped.length > 0) found.push(finding("proxy-drops-headers", origin, dropped.join(", ")));
  if (echo.host !== host) found.push(finding("proxy-changes-host", host, echo.host));
  const isDirect =
    echo.forwardedFor === madeUpAddress && (publicUrl.protocol !== "https:" || config.tls !== null);
  const visitor = isDirect ? echo.peer : visitorOf(echo);
  if (typeof visitor !== "string") found.push(finding(visitor.code, origin, visitor.seen));
  else if (found.length === 0) found.push(finding("proxy-right", origin, visitor));
  return found;
}

type AddressFault = {
  code: "proxy-unnamed" | "proxy-hides-visitors" | "proxy-believes-visitors";
  seen: string;
};

/** @returns the address that the server takes for the doctor's, if that is right */
function visitorOf({ peer, address, isTrusted, forwardedFor }: DoctorEcho): string | AddressFault {
  if (!isTrusted) return { code: "proxy-unnamed", seen: peer };
  if (forwardedFor === null) return { code: "proxy-hides-visitors", seen: peer };
  const all = forwardedFor.split(",").map((each) => bareAddress(each.trim()));
  // What stands behind the made-up address was written by proxies. The outermost one saw the doctor.
  const [seen] = all.slice(all.lastIndexOf(madeUpAddress) + 1);
  if (seen === undefined) return { code: "proxy-believes-visitors", seen: peer };
  if (address === seen) return address;
  // The doctor itself may be at an address of a trusted proxy, where the server looks further to the left.
  if (address === madeUpAddress) {
    return isOwnAddress(seen) ? seen : { code: "proxy-believes-visitors", seen: peer };
  }
  return { code: "proxy-unnamed", seen: address };
}

function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return own.some((each) => each.address === address);
}
