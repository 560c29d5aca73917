import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { createCertificateAuthority } from "./certificates.ts";
import { startMessageServer } from "./chromium/message-server.ts";
import { createProfiles } from "./chromium/profiles.ts";
import {
  startRegistrationServer,
  type RegistrationServer,
} from "./chromium/registration-server.ts";
import { createRegistrations } from "./chromium/registrations.ts";
import { chromiumService } from "./chromium/service-rules.ts";
import { chromiumSwitches } from "./chromium/switches.ts";
import { startControlServer } from "./control/control-server.ts";
import { prepareDirectory, writeOwn } from "./directory.ts";
import type { EndpointServer } from "./endpoint-server/endpoint-server.ts";
import { PushLabError } from "./errors.ts";
import { createEventStream, type EventStream } from "./events.ts";
import { createBrowsers } from "./firefox/browsers.ts";
import { type ConnectionServer, startConnectionServer } from "./firefox/connection-server.ts";
import { type FirefoxPreferences, firefoxPreferences } from "./firefox/preferences.ts";
import { createRegistrations as createFirefoxRegistrations } from "./firefox/registrations.ts";
import { firefoxService } from "./firefox/service-rules.ts";
import type { Rule } from "./faults/fault.ts";
import { createRules, type RuleHandle } from "./faults/rules.ts";
import { checkedHosts } from "./host-names.ts";
import { type Listening, loopbackAddress } from "./listening.ts";
import { type EndpointAddress, endpointAddress } from "./proxy/endpoint-address.ts";
import { proxyEnvironment } from "./proxy/environment.ts";
import { startProxy } from "./proxy/proxy.ts";
import { createEndSubscription } from "./push-service/end-subscription.ts";
import { createMessageQueue } from "./push-service/message-queue.ts";
import { createPushes, type Push } from "./push-service/pushes.ts";
import { startPushService } from "./push-service/push-service.ts";
import type { Answer } from "./push-service/service-rules.ts";
import { createSubscriptions, type Subscription } from "./push-service/subscriptions.ts";
import { serverEnvironment } from "./server-environment.ts";

export type PushLabOptions = {
  /** Where certificates and keys are written, absolute or from the working directory; what an earlier lab wrote there is
   * overwritten. Without it a fresh folder is made, and removed on close. */
  readonly directory?: string;
  /** Host names the lab's own certificate also covers. */
  readonly hosts?: readonly string[];
  /** Ports on 127.0.0.1; any free one where it is not given. */
  readonly ports?: {
    readonly pushService?: number;
    readonly registration?: number;
    readonly messages?: number;
    readonly proxy?: number;
    readonly firefox?: number;
    readonly control?: number;
  };
  /** Milliseconds since 1970; by this clock TTL and VAPID's exp are judged. */
  readonly now?: () => number;
  /** Gives this many unpredictable bytes. */
  readonly random?: (bytes: number) => Uint8Array;
};

export type LabCertificate = {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
};

/** The origin a push service's endpoints have, and where it really listens. */
export type PushServicePlace = {
  readonly origin: string;
  readonly address: string;
  readonly port: number;
};

export type PushLab = {
  /** Where the lab's files are. */
  readonly directory: string;
  /** The certificate of the lab's authority, PEM. */
  readonly caPath: string;
  /** Chromium's push service. */
  readonly pushService: PushServicePlace;
  /** Every push service that is played: Chromium's and Firefox's. */
  readonly pushServices: readonly PushServicePlace[];
  /** What a Sineta server needs in its environment to reach the lab instead of the real push service. */
  readonly serverEnvironment: Readonly<Record<string, string>>;
  /** For any other sender: an HTTP proxy that leads to the lab, and nowhere else. */
  readonly proxy: {
    readonly url: string;
    readonly port: number;
    /** What a sender in whatever language needs in its environment to use the proxy and to trust the lab. */
    readonly environment: Readonly<Record<string, string>>;
  };
  /** Where faults, counts and pushes can be had over HTTP. */
  readonly control: { readonly url: string; readonly port: number };
  /** Where an endpoint's pushes go, for a sender that can be given an address. Throws PushLabError `unknown-endpoint` where
   * the endpoint is at no push service of the lab's. */
  readonly reach: (endpoint: string) => EndpointAddress;
  readonly chromium: {
    /** The switches with which Chromium uses the lab and calls nobody else. */
    readonly args: readonly string[];
    /** The same, with other host names found on 127.0.0.1. Throws PushLabError `invalid-host`. */
    readonly argsFor: (more: { readonly hosts?: readonly string[] }) => readonly string[];
  } & Pick<
    RegistrationServer,
    "failRegistrations" | "hangRegistrations" | "failCheckIns" | "recover"
  >;
  readonly firefox: {
    /** The preferences with which Firefox uses the lab and calls nobody else. */
    readonly prefs: FirefoxPreferences;
    /** The same, with other host names found on 127.0.0.1. Throws PushLabError `invalid-host`. */
    readonly prefsFor: (more: { readonly hosts?: readonly string[] }) => FirefoxPreferences;
    /** What Firefox needs in its environment, beside its own: without it Firefox insists on asking Mozilla's servers for
     * settings (the lab's proxy refuses that), with it Firefox ends itself rather than connect beyond this network. */
    readonly environment: Readonly<Record<string, string>>;
    /**
     * Forgets every browser, as the service does with one that stayed away for long: subscriptions end (410), connections
     * are cut, and a browser that comes back is given a new uaid, so that Firefox fires `pushsubscriptionchange`.
     */
    readonly forgetBrowsers: () => void;
  } & Pick<ConnectionServer, "failRegistrations" | "hangRegistrations" | "recover" | "disconnect">;
  /** A server certificate by the lab's authority, for a site under test; Chromium with the lab's switches trusts it.
   * Rejects with PushLabError `invalid-host`. */
  readonly certificateFor: (hosts: readonly string[]) => Promise<LabCertificate>;
  /** What arrived at the push service, oldest first, refused or not; the last 10,000. */
  readonly pushes: () => readonly Push[];
  /** The oldest push that fits and that no earlier call gave: at once if it is there, else as soon as it arrives or
   * changes so that it fits. */
  readonly nextPush: (filter?: (push: Push) => boolean) => Promise<Push>;
  /** Live and ended ones, oldest first. */
  readonly subscriptions: () => readonly Subscription[];
  /** Ends a subscription on the service's side, without telling the browser; its endpoint answers 404 or 410 from now on.
   * Throws PushLabError `unknown-endpoint` unless it is live. */
  readonly endSubscription: (endpoint: string, status?: 404 | 410) => void;
  /**
   * Answers the next pushes so, in the order given here. Only pushes that would have been accepted count: one that is
   * wrong is still told what is wrong with it. Nothing answered so reaches a browser, whatever the status.
   * Throws PushLabError `invalid-fault`.
   */
  readonly answerNext: (answer: ScriptedAnswer) => void;
  /** Makes the push services misbehave until the rule is spent or stopped. Throws PushLabError `invalid-fault`. */
  readonly misbehave: (rule: Rule) => RuleHandle;
  /** Ends all that `misbehave` and `answerNext` began; who hangs is left hanging. */
  readonly behave: () => void;
  /** Calls the listener with everything that happens from now on; the result stops that. */
  readonly onEvent: EventStream["on"];
  /** Resolves with the first thing `find` gives that is neither undefined nor false; asked now, and after every event. */
  readonly until: EventStream["until"];
  /** Stops everything, cuts every connection, and removes the folder the lab made. May be called again. */
  readonly close: () => Promise<void>;
};

/** What the push service says instead of accepting a push. */
export type ScriptedAnswer = Answer & {
  /** How many pushes are answered so; 1 if not given. */
  readonly count?: number;
};

const keptPushes = 10_000;

const playedServices = [chromiumService, firefoxService];

/**
 * Starts push services on 127.0.0.1 that a real Chromium and a real Firefox accept. Everything it keeps is in memory, and
 * gone on close. It trusts everybody on this machine: it is for tests and demonstrations.
 *
 * A promise of `nextPush` or `until` that is still open on close rejects with PushLabError `lab-closed`.
 *
 * @throws PushLabError `port-unavailable`, `directory-unusable` or `invalid-host`; nothing stays behind then
 */
export async function startPushLab(options: PushLabOptions = {}): Promise<PushLab> {
  const { hosts = [], ports = {}, now = Date.now, random = randomBytes } = options;
  const services = playedServices.map(({ origin }) => origin);
  const serviceHosts = services.map((origin) => new URL(origin).hostname);
  const ownNames = ["localhost", loopbackAddress, ...serviceHosts];
  const certificateHosts = [...new Set([...ownNames, ...checkedHosts(hosts)])];
  const directory = await prepareDirectory(options.directory);

  const events = createEventStream();
  const listening: Listening[] = [];
  const stop = async (): Promise<void> => {
    events.close();
    await Promise.all(listening.map((server) => server.close()));
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  const started = async <Server extends Listening>(server: Promise<Server>): Promise<Server> => {
    const running = await server;
    listening.push(running);
    return running;
  };

  const pushes = createPushes({ now, keep: keptPushes });
  const subscriptions = createSubscriptions(now);
  const queue = createMessageQueue({
    now,
    onChange: (id, delivery, code) => {
      const push = pushes.setDelivery(id, delivery, code);
      if (push !== undefined) events.emit({ type: "delivery", push });
    },
  });
  const rules = createRules({
    origins: services,
    now,
    random,
    onRefusal: () => {
      endpointServer?.cutRefused();
    },
  });
  let endpointServer: EndpointServer | undefined;
  const endSubscription = createEndSubscription({ subscriptions, queue, events });
  const profiles = createProfiles({
    random,
    onNew: (browser) => {
      events.emit({ type: "checked-in", browser });
    },
  });
  const registrations = createRegistrations({ subscriptions, endSubscription, events, random });
  const browsers = createBrowsers({
    random,
    onNew: (browser) => {
      events.emit({ type: "checked-in", browser });
    },
  });
  const firefoxRegistrations = createFirefoxRegistrations({
    subscriptions,
    endSubscription,
    events,
    now,
    random,
  });

  try {
    const authority = await createCertificateAuthority({ nowMs: Date.now(), random });
    const caPath = join(directory, "ca.pem");
    const keyPath = join(directory, "server-key.pem");
    await writeOwn(caPath, authority.caCertificate);
    await writeOwn(keyPath, authority.leafKey);
    const tls = { cert: await authority.issue(certificateHosts), key: authority.leafKey };

    const pushService = await started(
      startPushService({
        port: ports.pushService ?? 0,
        tls,
        services: playedServices,
        subscriptions,
        queue,
        pushes,
        rules,
        events,
        now,
        newId: () => Buffer.from(random(16)).toString("base64url"),
      }),
    );
    endpointServer = pushService;
    const registrationServer = await started(
      startRegistrationServer({
        port: ports.registration ?? 0,
        profiles,
        registrations,
        events,
        now,
      }),
    );
    const messageServer = await started(
      startMessageServer({
        port: ports.messages ?? 0,
        tls,
        profiles,
        registrations,
        queue,
        events,
        now,
      }),
    );

    const proxy = await started(
      startProxy({
        port: ports.proxy ?? 0,
        services,
        pushServicePort: pushService.port,
        events,
      }),
    );
    const proxyUrl = `http://${loopbackAddress}:${proxy.port}`;

    const connectionServer = await started(
      startConnectionServer({
        port: ports.firefox ?? 0,
        browsers,
        registrations: firefoxRegistrations,
        queue,
        events,
        now,
      }),
    );

    const control = await started(
      startControlServer(ports.control ?? 0, {
        rules,
        counts: pushes.counts,
        pushes: pushes.list,
      }),
    );

    let certificates = 0;
    const certificateFor = async (wanted: readonly string[]): Promise<LabCertificate> => {
      if (wanted.length === 0)
        throw new PushLabError("invalid-host", "A certificate needs at least one host name.");
      const cert = await authority.issue(checkedHosts(wanted));
      certificates += 1;
      const certPath = join(directory, `site-${certificates}.pem`);
      await writeOwn(certPath, cert);
      return { cert, key: authority.leafKey, certPath, keyPath };
    };
    const argsFor = (more: { readonly hosts?: readonly string[] }): readonly string[] =>
      chromiumSwitches({
        registrationPort: registrationServer.port,
        messagePort: messageServer.port,
        spkiSha256: authority.leafSpkiSha256,
        hosts: more.hosts ?? [],
      });

    const prefsFor = (more: { readonly hosts?: readonly string[] }): FirefoxPreferences =>
      firefoxPreferences({
        port: connectionServer.port,
        proxyPort: proxy.port,
        hosts: more.hosts ?? [],
      });

    const placeOf = (origin: string): PushServicePlace => ({
      origin,
      address: loopbackAddress,
      port: pushService.port,
    });

    let closing: Promise<void> | undefined;
    return {
      directory,
      caPath,
      pushService: placeOf(chromiumService.origin),
      pushServices: services.map(placeOf),
      serverEnvironment: serverEnvironment(services.map(placeOf), caPath),
      proxy: {
        url: proxyUrl,
        port: proxy.port,
        environment: proxyEnvironment({ url: proxyUrl, caPath }),
      },
      control: { url: control.url, port: control.port },
      reach: (endpoint) =>
        endpointAddress(endpoint, {
          services,
          port: pushService.port,
          ca: authority.caCertificate,
          caPath,
        }),
      chromium: {
        args: argsFor({}),
        argsFor,
        failRegistrations: registrationServer.failRegistrations,
        hangRegistrations: registrationServer.hangRegistrations,
        failCheckIns: registrationServer.failCheckIns,
        recover: registrationServer.recover,
      },
      firefox: {
        prefs: prefsFor({}),
        prefsFor,
        environment: { MOZ_DISABLE_NONLOCAL_CONNECTIONS: "1" },
        forgetBrowsers: () => {
          browsers.forget();
          firefoxRegistrations.endAll();
          connectionServer.disconnect();
        },
        failRegistrations: connectionServer.failRegistrations,
        hangRegistrations: connectionServer.hangRegistrations,
        recover: connectionServer.recover,
        disconnect: connectionServer.disconnect,
      },
      certificateFor,
      pushes: pushes.list,
      nextPush: (filter = () => true) => events.until(() => pushes.take(filter)),
      subscriptions: subscriptions.list,
      endSubscription: (endpoint, status = 410) => {
        if (endSubscription(endpoint, status) === undefined)
          throw new PushLabError(
            "unknown-endpoint",
            `There is no live subscription at ${endpoint}: see subscriptions().`,
          );
      },
      answerNext: ({ count = 1, ...answer }) => {
        if (count <= 0) return;
        const times = Number.isFinite(count) ? { times: count } : {};
        rules.add({ fault: { kind: "answer", ...answer }, ...times });
      },
      misbehave: rules.add,
      behave: rules.clear,
      onEvent: events.on,
      until: events.until,
      close: () => (closing ??= stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
