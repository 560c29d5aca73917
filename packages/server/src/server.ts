import { randomBytes, randomUUID, randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { askedSeldom } from "./asked-seldom.ts";
import type { Config } from "./config.ts";
import { configWarnings } from "./config-warnings.ts";
import { freeBytesAt, openDataFolder, prepareDataFolder } from "./data-folder.ts";
import { createAttention } from "./audience/attention.ts";
import { createApiKeys } from "./access/api-keys/api-keys.ts";
import { createProjectSettings } from "./access/quotas/project-settings.ts";
import { createOperatorAccess } from "./access/operators/create-access.ts";
import { invitationLink } from "./access/operators/invitations.ts";
import type { SendPush } from "./delivery/page.ts";
import { startDelivery, type Delivery } from "./delivery/start-delivery.ts";
import { stopFirst } from "./delivery/stop-first.ts";
import { startPushThreads } from "./delivery/threads/push-threads.ts";
import { examineServer } from "./doctor/examine-server.ts";
import { createApp } from "./http/app.ts";
import { addressesIn, isNearby } from "./http/client-address.ts";
import { createFloodLog } from "./http/flood-log.ts";
import { listen } from "./http/listen.ts";
import { createMessageWatch } from "./http/message-watch.ts";
import { readSite, workerPath, type SitePlaces } from "./http/site.ts";
import type { Log } from "./log.ts";
import { createImages } from "./images/images.ts";
import { createMessages } from "./messages/create-messages.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import { openDefaultProject } from "./projects/open.ts";
import { ownOriginsOf, localUrl } from "./projects/origins.ts";
import { createPageOrigins } from "./projects/page-origins.ts";
import { drawAhead } from "./secrets/draw-ahead.ts";
import { secretWarning } from "./secrets/secret-file.ts";
import { openVault } from "./secrets/vault.ts";
import { createReceipts } from "./receipts/receipts.ts";
import { createRegistrations } from "./registrations/registrations.ts";
import { createUnknownKeys } from "./registrations/unknown-keys.ts";
import { idleMs } from "./access/sessions/sessions.ts";
import { takeServeLock } from "./serve-lock.ts";
import { createTopics } from "./topics/topics.ts";
import { startRetention } from "./retention/retention.ts";
import { createSiteCheck } from "./site-check/check-site.ts";
import packageJson from "../package.json" with { type: "json" };

export type ServerParts = {
  log: Log;
  places: SitePlaces;
  /** Instead of the sender that speaks to push services. */
  sendPush?: SendPush;
  /** How long a stop may take, in milliseconds. */
  stopGraceMs?: number;
};

export type RunningServer = {
  /** Address of the site on this machine, with the port that is really listened on. */
  url: string;
  port: number;
  /** Makes whoever opens it the owner, once; null if there is an operator. For the terminal alone: never for a log. */
  firstLink: string | null;
  /** Accepts nothing more, ends what is under way within a few seconds, closes. Repeatable. */
  stop(): Promise<void>;
};

const defaultStopGraceMs = 5_000;
/** Between portions of many changes: others have their turn. */
const portionPauseMs = 20;

/**
 * Puts the parts together and starts them. What was started is stopped again if a later part fails.
 * @throws CommandError `data-unwritable`, `data-damaged`, `data-in-use`, `data-too-new`, `data-full`, `secret-unusable`,
 *   `site-missing`, `port-in-use`, `address-unavailable`
 */
export async function startServer(config: Config, parts: ServerParts): Promise<RunningServer> {
  const { log, places, stopGraceMs = defaultStopGraceMs } = parts;
  const undo: (() => Promise<void> | void)[] = [];
  async function stopAll(): Promise<void> {
    for (let stopPart = undo.pop(); stopPart !== undefined; stopPart = undo.pop()) await stopPart();
  }

  try {
    prepareDataFolder(config.dataFolder);
    undo.push(takeServeLock(config.dataFolder));
    const store = await openDataFolder(config.dataFolder, Date.now(), { log });
    undo.push(() => store.close());
    const project = await openDefaultProject({
      store,
      dataFolder: config.dataFolder,
      secret: config.secret,
      randomBytes,
      nowMs: Date.now(),
    });
    const warning = secretWarning(config.dataFolder);
    if (warning !== null) log.warn(warning);
    const endpointPolicy = { hosts: config.pushHosts, routes: config.pushRoutes };
    const isTrusted = addressesIn(config.trustedProxies);
    const listener = await listen(config, {
      limits: { mayHoldMany: (address) => isNearby(address) || isTrusted(address) },
      tellOfFlood: createFloodLog(log),
    });
    undo.push(() => listener.close(stopGraceMs));
    const now = Date.now;
    let delivery: Delivery | null = null;
    const answering = stopFirst(store, () => delivery);
    const messages = createMessages({
      store: answering,
      endpointPolicy,
      vapidSubject: config.vapidSubject,
      newId: randomUUIDv7,
      delivers: () => true,
      now,
    });
    const watch = createMessageWatch({ messages, store, pause, log });
    const disk = {
      freeBytes: () => freeBytesAt(config.dataFolder),
      lowBytes: config.diskLowBytes,
    };
    const metrics = createMetrics({ store, eventStreams: () => watch.count(), ...disk, now });
    const apiKeys = createApiKeys({ store: answering.apiKeys, randomBytes, now });
    const ownOrigins = ownOriginsOf(config, listener.port);
    const pageConfig = {
      server: "",
      project: project.name,
      vapidKey: project.keys.current.publicKey,
      worker: workerPath,
      allowLoopback: config.development,
    };
    const site = readSite(places, pageConfig, ownOrigins);
    const pageOrigins = createPageOrigins({
      own: ownOrigins,
      environment: config.origins,
      readSettings: async () => (await store.projects.settings(project.id)).origins,
      now,
    });
    const consoleUrl = config.publicUrl?.href ?? localUrl(config, listener.port);
    const access = createOperatorAccess({
      store,
      deviceSecret: project.receiptSecret,
      // Opened after the project is there: the first start has made the secret by then.
      vault: openVault({ dataFolder: config.dataFolder, secret: config.secret, randomBytes }),
      consoleUrl,
      consoleOrigins: ownOrigins,
      randomBytes,
      now,
    });
    const unknownKeys = createUnknownKeys({ log, now });
    const checkReady = askedSeldom(
      async () => {
        await store.check();
        delivery?.check();
      },
      { everyMs: 1_000, now },
    );
    const app = createApp({
      projects: new Map([[project.name, { ...project, origins: pageOrigins }]]),
      registrations: createRegistrations({
        store: answering.registrations,
        endpointPolicy,
        unknownKeys,
        randomBytes: drawAhead(randomBytes),
        now,
      }),
      topics: createTopics({ store: store.registrations, now }),
      receipts: createReceipts({ store: store.receipts, now }),
      messages,
      delivery: { store, now },
      doctor: {
        examine: () =>
          examineServer({
            config,
            warnings: configWarnings(config),
            data: { store, project },
            port: listener.port,
            serverUrl: consoleUrl,
            checkReady,
            now,
          }),
        now,
      },
      drafts: { store: store.drafts, now },
      images: createImages({ store: store.images, publicUrl: consoleUrl, now }),
      topicMembers: { store: store.topics, audit: store.audit, now },
      topicChanges: { store: store.topics, pause: () => delay(portionPauseMs), now },
      audience: { store: store.audience, now },
      attention: createAttention({
        store,
        unknownKeys,
        ...disk,
        keepEndedDays: config.keepDays.ended,
        now,
      }),
      registrationList: { store: answering, now },
      events: { watch, pause },
      guard: {
        apiKeys,
        serverProjectId: project.id,
        opened: config.development ? ["GET /metrics"] : [],
      },
      operators: {
        access,
        consoleOrigins: ownOrigins,
        consoleUrl,
        secureCookies: consoleUrl.startsWith("https:"),
      },
      apiKeys: { apiKeys, now },
      audit: { store: store.audit, serverProjectId: project.id, now },
      settings: createProjectSettings({ store: store.projects, now }),
      installation: {
        serverUrl: consoleUrl,
        publicUrlIsSet: config.publicUrl !== null,
        allowLoopback: config.development,
        worker: workerPath,
        vapidSubject: config.vapidSubject,
        keepDays: config.keepDays,
        version: packageJson.version,
      },
      // Whoever runs the server has named these: their pages may be at any address, on loopback, too.
      checkSite: createSiteCheck({
        serverUrl: consoleUrl,
        ownOrigins: new Set([...ownOrigins, ...(config.origins ?? [])]),
      }),
      metrics,
      trustedProxies: config.trustedProxies,
      limits: config.limits,
      pauseFlood: (milliseconds) => delay(milliseconds),
      site,
      checkReady,
      log,
      newRequestId: randomUUID,
      httpsOnly: config.httpsOnly,
    });
    listener.serve((request, bindings) => app.fetch(request, bindings));

    // A push service that hangs holds up a stop for so long; what is left of the grace is for writing that down.
    const threads = startPushThreads({
      policy: endpointPolicy,
      subject: config.vapidSubject,
      closeMs: stopGraceMs * 0.8,
      project: { keys: project.keys, receiptSecret: project.receiptSecret },
      log,
    });
    undo.push(() => threads.close());
    const send = parts.sendPush ?? threads.send;
    const started = await startDelivery({
      store,
      send,
      withdraw: threads.withdraw,
      now,
      metrics,
      pause,
      log,
    });
    delivery = started;
    undo.push(async () => {
      const stopped = started.stop();
      // At once: what is on its way may still end, what waits and what hangs ends as "to be tried again".
      const closed = threads.close();
      // Streams of events would hold up the listener for all of its grace.
      watch.close();
      await Promise.all([listener.close(stopGraceMs), closed, atMost(stopGraceMs, stopped)]);
    });
    const retention = startRetention({
      store,
      keepDays: config.keepDays,
      sessionIdleMs: idleMs,
      now,
      pause,
      log,
    });
    undo.push(() => retention.stop());
    const firstToken = await access.invitations.inviteFirst(project.id);
    log.info({ port: listener.port, development: config.development }, "listening");

    let stopped: Promise<void> | undefined;
    return {
      url: localUrl(config, listener.port),
      port: listener.port,
      firstLink: firstToken === null ? null : invitationLink(consoleUrl, firstToken),
      stop: () => (stopped ??= stopAll()),
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** Ends early when the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

async function atMost(milliseconds: number, promise: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const over = delay(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([promise, over]);
  patience.abort();
}
