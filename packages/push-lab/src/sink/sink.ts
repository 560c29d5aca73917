import { createECDH, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { createCertificateAuthority } from "../certificates.ts";
import { startControlServer } from "../control/control-server.ts";
import { prepareDirectory, writeOwn } from "../directory.ts";
import { type EndpointServer, startEndpointServer } from "../endpoint-server/endpoint-server.ts";
import { createEventStream } from "../events.ts";
import type { Rule } from "../faults/fault.ts";
import { createRules, type RuleHandle } from "../faults/rules.ts";
import type { PushServicePlace } from "../lab.ts";
import { type Listening, loopbackAddress } from "../listening.ts";
import { type EndpointAddress, endpointAddress } from "../proxy/endpoint-address.ts";
import { serverEnvironment } from "../server-environment.ts";
import type { SinkCounts } from "./counts.ts";
import { checkedOrigins } from "./origins.ts";
import { createReception, type KeptPush } from "./reception.ts";
import { endpointAt, isVendors, serviceAt } from "./service-rules.ts";

export type SinkOptions = {
  /** Of the push services to play, such as `https://fcm.googleapis.com`. Any https origin will do. */
  readonly origins: readonly string[];
  /** On 127.0.0.1, for all origins; the first of as many in a row where each has its own. Any free one if not given. */
  readonly port?: number;
  /** Each origin listens on a port of its own; else they share one and are told apart by the authority. */
  readonly portPerOrigin?: boolean;
  readonly controlPort?: number;
  /** Offers no HTTP/2. */
  readonly http1Only?: boolean;
  /** What the server allows each connection to have open at once, 100 if not given. */
  readonly maxConcurrentStreams?: number;
  /** `all` checks each push as the lab does, `none` takes whatever comes to a path of a played origin. */
  readonly check?: "all" | "none";
  /** The only VAPID key that is good, base64url; any if not given. */
  readonly vapidKey?: string;
  /** How many of the latest pushes taken are kept with headers and body; none if not given. */
  readonly keep?: number;
  /** Where the authority's certificate is written; a fresh folder, removed on close, if not given. */
  readonly directory?: string;
  /** Milliseconds since 1970; VAPID's exp and rate limits are judged by it. */
  readonly now?: () => number;
  /** Gives this many unpredictable bytes. */
  readonly random?: (bytes: number) => Uint8Array;
};

export type SinkSubscription = {
  readonly endpoint: string;
  /** base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

export type Sink = {
  readonly origins: readonly string[];
  /** Where it listens; the first origin's where each has its own. */
  readonly port: number;
  readonly places: readonly PushServicePlace[];
  /** The certificate to trust, PEM. */
  readonly caPath: string;
  /** What a Sineta server needs in its environment to send to the sink. */
  readonly serverEnvironment: Readonly<Record<string, string>>;
  /** Where faults and counts can be had over HTTP. */
  readonly controlUrl: string;
  /** As in the lab. Throws PushLabError `unknown-endpoint`. */
  readonly reach: (endpoint: string) => EndpointAddress;
  /** An endpoint by its name, with real keys (the same for all). Throws PushLabError `unknown-endpoint`. */
  readonly subscription: (origin: string, name: string) => SinkSubscription;
  readonly counts: () => SinkCounts;
  /** How many pushes each path of an origin has taken: a live view, in the order of the first. Throws PushLabError `unknown-endpoint`. */
  readonly accepted: (origin: string) => ReadonlyMap<string, number>;
  /** The latest pushes taken, oldest first, as many as `keep` says. */
  readonly kept: () => readonly KeptPush[];
  /** Counts from zero again, and forgets what was kept. Rules stay. */
  readonly reset: () => void;
  /** Resolves as soon as the counts fit: asked now and after each request. Rejects with `lab-closed` on close. */
  readonly until: (fits: (counts: SinkCounts) => boolean) => Promise<SinkCounts>;
  /** Throws PushLabError `invalid-fault`. */
  readonly misbehave: (rule: Rule) => RuleHandle;
  readonly behave: () => void;
  /** Cuts every connection and removes the folder the sink made. May be called again. */
  readonly close: () => Promise<void>;
};

/**
 * Starts push services without browsers on 127.0.0.1: they take pushes to any path of their origins, check them as strictly
 * as the real ones, and count. For tests and measurements of senders; it stays the same size however many pushes come, but
 * for one number for each path.
 *
 * @throws PushLabError `invalid-origin`, `port-unavailable` or `directory-unusable`; nothing stays behind then
 */
export async function startSink(options: SinkOptions): Promise<Sink> {
  const { port = 0, portPerOrigin = false, now = Date.now, random = randomBytes } = options;
  const origins = checkedOrigins(options.origins);
  const directory = await prepareDirectory(options.directory);
  const listening: Listening[] = [];
  const servers: EndpointServer[] = [];
  const events = createEventStream<undefined>();
  const stop = async (): Promise<void> => {
    events.close();
    await Promise.all(listening.map((server) => server.close()));
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };

  const rules = createRules({
    origins,
    now,
    random,
    onRefusal: () => {
      for (const server of servers) server.cutRefused();
    },
  });
  const reception = createReception({
    services: origins.map(serviceAt),
    rules,
    checks: options.check !== "none",
    vapidKey: options.vapidKey,
    keep: options.keep ?? 0,
    now,
    runId: Buffer.from(random(6)).toString("base64url"),
    onHandled: () => {
      events.emit(undefined);
    },
  });
  const counts = (): SinkCounts => ({
    ...reception.counts(),
    connections: servers.reduce((sum, server) => sum + server.connections(), 0),
  });

  try {
    const authority = await createCertificateAuthority({ nowMs: Date.now(), random });
    const caPath = join(directory, "ca.pem");
    await writeOwn(caPath, authority.caCertificate);
    const hosts = origins.map((origin) => new URL(origin).hostname);
    const tls = { cert: await authority.issue([...new Set(hosts)]), key: authority.leafKey };

    const groups = portPerOrigin ? origins.map((origin) => [origin]) : [origins];
    const places: PushServicePlace[] = [];
    for (const [index, group] of groups.entries()) {
      const server = await startEndpointServer({
        port: port === 0 ? 0 : port + index,
        tls,
        http1Only: options.http1Only ?? false,
        ...(options.maxConcurrentStreams !== undefined && {
          maxConcurrentStreams: options.maxConcurrentStreams,
        }),
        refuses: rules.refusesConnection,
        onExchange: reception.receive,
        what: "sink",
      });
      listening.push(server);
      servers.push(server);
      for (const origin of group)
        places.push({ origin, address: loopbackAddress, port: server.port });
    }
    const control = await startControlServer(options.controlPort ?? 0, { rules, counts });
    listening.push(control);

    const ecdh = createECDH("prime256v1");
    const keys = {
      p256dh: ecdh.generateKeys("base64url"),
      auth: Buffer.from(random(16)).toString("base64url"),
    };
    const foreign = origins.filter((origin) => !isVendors(origin));

    let closing: Promise<void> | undefined;
    return {
      origins,
      port: servers[0]?.port ?? 0,
      places,
      caPath,
      serverEnvironment: {
        ...serverEnvironment(places, caPath),
        ...(foreign.length > 0 && {
          SINETA_PUSH_HOSTS: foreign.map((origin) => new URL(origin).host).join(","),
        }),
      },
      controlUrl: control.url,
      reach: (endpoint) => {
        const place = places.find(({ origin }) => URL.parse(endpoint)?.origin === origin);
        const { caCertificate: ca } = authority;
        return endpointAddress(endpoint, { services: origins, port: place?.port ?? 0, ca, caPath });
      },
      subscription: (origin, name) => ({ endpoint: endpointAt(origins, origin, name), keys }),
      counts,
      accepted: reception.accepted,
      kept: reception.kept,
      reset: reception.reset,
      until: (fits) =>
        events.until(() => {
          const current = counts();
          return fits(current) && current;
        }),
      misbehave: rules.add,
      behave: rules.clear,
      close: () => (closing ??= stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
