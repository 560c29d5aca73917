import { request as requestHttp } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { DoctorFinding } from "@sineta/protocol";
import { connect, type Connected, type ConnectOptions } from "../webpush/connect.ts";
import { checkEndpoint, type EndpointPolicy, type PushTarget } from "../webpush/endpoint.ts";
import type { Broken } from "../webpush/line.ts";
import { finding } from "./finding.ts";

/** What a push service's clock showed, and between which moments of this machine's. */
export type ForeignClock = { host: string; atMs: number; askedMs: number; answeredMs: number };

/** Where the browsers of most visitors have their endpoints. Windows has a host for each data centre, so none is here. */
const usualOrigins = [
  "https://fcm.googleapis.com",
  "https://updates.push.services.mozilla.com",
  "https://web.push.apple.com",
];
/** Beyond the usual ones. */
const mostOthers = 8;

export type PushServiceParts = {
  /** With live registrations, and how many. */
  origins: readonly { pushOrigin: string; count: number }[];
  /** Push origins that are held back, and why. */
  held: readonly { pushOrigin: string; reason: string }[];
  policy: EndpointPolicy;
  connect?: ConnectOptions;
  signal: AbortSignal;
  now: () => number;
};

/** Connects to each push service as delivery does, and asks for a page that it need not have. Sends no push. */
export async function checkPushServices(
  parts: PushServiceParts,
): Promise<{ findings: DoctorFinding[]; clocks: ForeignClock[] }> {
  const looked = await Promise.all(
    targetsOf(parts).map((target) => checkPushService(target, parts)),
  );
  const held = parts.held.map(({ pushOrigin, reason }) =>
    finding("push-service-held", pushOrigin, reason),
  );
  return {
    findings: [...looked.map((each) => each.finding), ...held],
    clocks: looked.flatMap(({ clock }) => (clock === null ? [] : [clock])),
  };
}

function targetsOf({ origins, policy }: PushServiceParts): PushTarget[] {
  const others = origins
    .filter(({ pushOrigin }) => !usualOrigins.includes(pushOrigin))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, mostOthers);
  return [...usualOrigins, ...others.map(({ pushOrigin }) => pushOrigin)].flatMap((origin) => {
    const checked = checkEndpoint(`${origin}/`, policy);
    return checked.ok ? [checked.target] : [];
  });
}

type Looked = { finding: DoctorFinding; clock: ForeignClock | null };

async function checkPushService(target: PushTarget, parts: PushServiceParts): Promise<Looked> {
  const { origin, host } = target;
  const { signal, now } = parts;
  const connected = await connect(target, parts.connect ?? {}, signal);
  if (connected.kind === "broken") return { finding: absence(host, connected), clock: null };
  const askedMs = now();
  const date = await dateAt(origin, connected, signal);
  connected.socket.destroy();
  const atMs = Date.parse(date ?? "");
  return {
    finding: finding("push-service-reached", host),
    clock: Number.isNaN(atMs) ? null : { host, atMs, askedMs, answeredMs: now() },
  };
}

function absence(host: string, { reason, detail }: Broken): DoctorFinding {
  const seen = detail === "" ? reason : detail;
  if (reason === "name-not-resolved") return finding("push-service-name-unknown", host, seen);
  // A connection that ends before its certificate has come fails in the same step.
  if (reason === "tls-failed" && seen.includes("certificate")) {
    return finding("push-service-untrusted", host, seen);
  }
  if (reason === "address-not-allowed") return finding("push-service-elsewhere", host, seen);
  return finding("push-service-silent", host, seen);
}

/** The Date header of whatever the push service answers; null if it answers nothing. */
function dateAt(
  origin: string,
  { socket, protocol }: Connected,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const give = (date: string | null) => resolve(date);
    signal.addEventListener("abort", () => give(null), { once: true });
    if (signal.aborted) give(null);
    socket.once("close", () => give(null));
    if (protocol === "h2") {
      const session = connectHttp2(origin, { createConnection: () => socket });
      session.on("error", () => give(null));
      session
        .request({ ":path": "/" })
        .on("error", () => give(null))
        .once("response", (headers) => give(headers.date ?? null))
        .end();
      return;
    }
    requestHttp({ createConnection: () => socket, host: new URL(origin).host, path: "/" })
      .on("error", () => give(null))
      .once("response", (response) => give(response.headers.date ?? null))
      .end();
  });
}
