import { createHook } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, type Config } from "./config.ts";
import { openDataFolder, prepareDataFolder } from "./data-folder.ts";
import { createPushSender } from "./delivery/push-sender.ts";
import { createLog } from "./log.ts";
import { openDefaultProject } from "./projects/open.ts";
import { defaultProjectName, type ActiveProject } from "./projects/project.ts";
import { startServer, type RunningServer } from "./server.ts";
import { readPushRoutes } from "./settings.ts";
import { openSqliteStore } from "./store/sqlite/open.ts";
import { testSubscription } from "./test/browser.ts";
import { testPlaces } from "./test/places.ts";
import { startSineta } from "./test/process.ts";
import { endpointRefusals } from "./webpush/endpoint.ts";
import { makeCertificates } from "./webpush/testing/certificates.ts";
import { hostileEndpoints } from "./webpush/testing/hostile-endpoints.ts";
import { startPushService, type TestPushService } from "./webpush/testing/push-service.ts";
import { accept } from "./webpush/testing/scene.ts";
import { createSender, type Sender } from "./webpush/sender.ts";
import { playedHost } from "./webpush/testing/sending.ts";

const trusted = getCACertificates();
let bench: ReturnType<typeof testPlaces>;
let service: TestPushService;
let server: RunningServer;
/** On this thread, where attempts to connect can be counted: the server's own sends from others. */
let sender: Sender;
beforeEach(async () => {
  bench = testPlaces();
  const certificates = await makeCertificates([playedHost]);
  setDefaultCACertificates([...trusted, certificates.ca]);
  service = await startPushService({ certificates, onPush: accept });
  // A route allows no host: so each has one. And where a rule is broken, they lead to loopback and not to strangers.
  const hosts = hostileEndpoints.map(({ endpoint }) => URL.parse(endpoint)?.host ?? "");
  const routes = [...new Set([playedHost, ...hosts])]
    .map((host) => `${host}=127.0.0.1:${service.port}`)
    .filter((route) => readPushRoutes(route) !== undefined)
    .join();
  const environment = { SINETA_PORT: "0", SINETA_PUSH_ROUTES: routes };
  const { config } = readConfig({ flags: {}, environment, folder: bench.folder });
  const log = createLog("silent", { write: () => undefined });
  const sendPush = createPushSender({
    sender: senderOf(config),
    project: await project(),
    now: Date.now,
  });
  server = await startServer(config, { log, places: bench.places, sendPush });
});
afterEach(async () => {
  await server.stop();
  await sender.close();
  await service.close();
  setDefaultCACertificates(trusted);
  rmSync(bench.folder, { recursive: true });
});

function senderOf({ pushHosts, pushRoutes, vapidSubject }: Config): Sender {
  const policy = { hosts: pushHosts, routes: pushRoutes };
  sender = createSender({ policy, subject: vapidSubject });
  return sender;
}

/** What the server will open: it is made here, before its first start. */
async function project(): Promise<Pick<ActiveProject, "keys" | "receiptSecret">> {
  const { dataFolder } = bench;
  prepareDataFolder(dataFolder);
  const opened = await openDataFolder(dataFolder, Date.now());
  const made = await openDefaultProject({
    store: opened,
    dataFolder,
    randomBytes,
    nowMs: Date.now(),
  });
  await opened.close();
  return made;
}

const databasePath = (): string => join(bench.dataFolder, "sineta.db");

/** Puts live registrations with these endpoints into the database, past every rule. */
async function store(endpoints: readonly string[]): Promise<{ live: () => Promise<number> }> {
  const opened = await openSqliteStore(databasePath(), Date.now());
  const { id: projectId } = await opened.projects.ensure(defaultProjectName, Date.now());
  const [vapidKey] = await opened.projects.vapidKeys(projectId);
  for (const endpoint of endpoints) {
    const candidate = {
      ...testSubscription().keys,
      projectId,
      endpoint,
      endpointHash: createHash("sha256").update(endpoint).digest(),
      vapidKeyId: vapidKey?.id ?? 0,
      pushOrigin: URL.parse(endpoint)?.origin ?? `https://${playedHost}`,
      origin: "https://site.example",
      locale: null,
      timeZone: null,
      browser: "unknown" as const,
      system: "unknown" as const,
      clientSecretHash: randomBytes(32),
      earlierToken: null,
      loss: null,
      newToken: randomBytes(32).toString("base64url"),
    };
    await opened.registrations.register(candidate, () => ({ kind: "new" }), Date.now());
  }
  await opened.close();
  return {
    async live() {
      const again = await openSqliteStore(databasePath(), Date.now());
      const count = await again.registrations.countLive(projectId);
      await again.close();
      return count;
    },
  };
}

/** What was not simply accepted, in the order of the registrations. */
function exceptions(): unknown[] {
  const database = new DatabaseSync(databasePath());
  const rows = database
    .prepare("select kind, reason, detail from message_exceptions order by registration_id")
    .all();
  database.close();
  return rows;
}

/** Every attempt of this process to connect by TCP or to ask DNS, as Node itself counts them. */
function watchDials(): { dials: string[]; stop: () => void } {
  const dials: string[] = [];
  const kinds = new Set(["TCPCONNECTWRAP", "GETADDRINFOREQWRAP", "QUERYWRAP"]);
  const hook = createHook({
    init: (_id, type) => {
      if (kinds.has(type)) dials.push(type);
    },
  }).enable();
  return { dials, stop: () => hook.disable() };
}

test("a hostile endpoint that got into the database is not sent to, says why, and costs nobody a registration", async () => {
  const endpoints = [
    ...hostileEndpoints.map(({ endpoint }) => endpoint),
    `https://${playedHost}/fcm/send/1`,
  ];
  const { live } = await store(endpoints);
  expect(await live()).toBe(endpoints.length);

  const { dials, stop } = watchDials();
  const { places, folder } = bench;
  // From another process, so that this one has no reason to connect but to send.
  const words = ["send", "--title", "x", "--body", "x"];
  const { stdout } = await startSineta(words, { places, folder }).ended;
  stop();

  const { length } = hostileEndpoints;
  expect(stdout).toMatch(
    new RegExp(`^\\S+: 1 accepted, 0 gone, 0 retry, 0 rejected, ${length} failed\n`),
  );
  expect(stdout).toMatch(/^fcm: \d+ failed, endpoint-not-allowed: /m);
  expect(exceptions()).toEqual(
    hostileEndpoints.map(({ reason }) => ({
      kind: "failed",
      reason: "endpoint-not-allowed",
      detail: `${reason}: ${endpointRefusals[reason]}`,
    })),
  );
  // The one that is allowed, by its route and without DNS.
  expect(service.received.map(({ headers }) => headers[":path"])).toEqual(["/fcm/send/1"]);
  expect(dials).toEqual(["TCPCONNECTWRAP"]);
  expect(await live()).toBe(endpoints.length);
});
