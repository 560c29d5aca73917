/** DNS, push services and silent hosts, in a process of their own: what internet-process.ts starts. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import { createServer } from "node:net";
import { createCertificateAuthority } from "../../packages/push-lab/src/certificates.ts";
import type {
  HostReport,
  InternetOrder,
  InternetReport,
  InternetTask,
} from "./internet-process.ts";
import { startNames, type Names } from "./names.ts";
import { addresses, busyHost, honestHosts, monotonicMs, wildcard } from "./places.ts";

const httpsPort = 443;

type Tally = { paths: Set<string>; refused: number; firstMs: number; lastMs: number };

const tallies = new Map<string, Tally>();
let counted = "";
let names: Names | undefined;

process.on("message", (order: InternetOrder) => {
  void obey(order);
});
// Also if the benchmark was killed.
process.once("disconnect", () => process.exit());

async function obey(order: InternetOrder): Promise<void> {
  switch (order.kind) {
    case "start":
      await start(order.task);
      break;
    case "count":
      counted = order.topic;
      tallies.clear();
      break;
    case "report":
      break;
    default:
      order satisfies never;
  }
  process.send?.(report());
}

async function start({ silentHosts, unknownMs, caFile }: InternetTask): Promise<void> {
  const silentAt = [addresses.silentTcp, addresses.silentHttp2];
  const known = new Map<string, string>([
    ...[...honestHosts, busyHost].map((host) => [host, addresses.pushServices] as const),
    ...silentHosts.map((host, index) => [host, silentAt[index % 2] ?? ""] as const),
  ]);
  names = await startNames({ known, watched: new Set(silentHosts), unknownMs });
  const authority = await createCertificateAuthority({ nowMs: Date.now(), random: randomBytes });
  writeFileSync(caFile, authority.caCertificate);
  const tls = {
    cert: await authority.issue([...honestHosts, `*.${wildcard}`]),
    key: authority.leafKey,
    settings: { maxConcurrentStreams: 256 },
  };
  const push = createSecureServer(tls).on("stream", take);
  const silentHttp2 = createSecureServer(tls).on("stream", (stream: ServerHttp2Stream) => {
    stream.on("error", () => undefined).resume();
  });
  const silentTcp = createServer((socket) => {
    socket.on("error", () => undefined).resume();
  });
  const places = [
    [push, addresses.pushServices],
    [silentHttp2, addresses.silentHttp2],
    [silentTcp, addresses.silentTcp],
  ] as const;
  for (const [server, address] of places) {
    // A sender that hangs up is no error of a server's.
    server.on("sessionError", () => undefined);
    server.listen({ port: httpsPort, host: address, backlog: 1024 });
    await once(server, "listening");
  }
}

/** Counts a push by its path, if it is of the message that is counted now. */
function take(stream: ServerHttp2Stream, headers: NodeJS.Dict<string | string[]>): void {
  const host = String(headers[":authority"]);
  const path = String(headers[":path"]);
  const isBusy = host === busyHost;
  stream.on("error", () => undefined).resume();
  stream.once("end", () => {
    if (!stream.destroyed) stream.respond({ ":status": isBusy ? 503 : 201 }, { endStream: true });
    if (headers["topic"] === counted) count(host, path, isBusy);
  });
}

function count(host: string, path: string, isRefused: boolean): void {
  const nowMs = monotonicMs();
  let tally = tallies.get(host);
  if (tally === undefined) {
    tally = { paths: new Set(), refused: 0, firstMs: nowMs, lastMs: nowMs };
    tallies.set(host, tally);
  }
  if (isRefused) {
    tally.refused += 1;
  } else if (!tally.paths.has(path)) {
    tally.paths.add(path);
    tally.lastMs = nowMs;
  }
}

function report(): InternetReport {
  const hosts: [string, HostReport][] = [...tallies].map(([host, { paths, ...tally }]) => [
    host,
    { ...tally, accepted: paths.size },
  ]);
  return { hosts: new Map(hosts), met: names?.met() ?? 0 };
}
