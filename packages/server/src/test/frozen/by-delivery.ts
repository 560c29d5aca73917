/** What of a frozen data folder is written by the delivery in small steps, so that it stops in the middle. */
import { randomBytes, randomUUID, randomUUIDv7 } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { MessageRequest } from "@sineta/protocol";
import { commandLineAsker } from "../../commands/asker.ts";
import { openDataFolder } from "../../data-folder.ts";
import { createBreakers } from "../../delivery/breakers.ts";
import { createDispatch } from "../../delivery/dispatch.ts";
import { createPushSender } from "../../delivery/push-sender.ts";
import { createLog } from "../../log.ts";
import { createMessages } from "../../messages/create-messages.ts";
import { dueInZone } from "../../messages/schedule.ts";
import { openDefaultProject } from "../../projects/open.ts";
import { createRegistrations } from "../../registrations/registrations.ts";
import { createUnknownKeys } from "../../registrations/unknown-keys.ts";
import { vapidKeyLabel } from "../../secrets/labels.ts";
import { openVault } from "../../secrets/vault.ts";
import { readPushHosts, readPushRoutes } from "../../settings.ts";
import { createSender } from "../../webpush/sender.ts";
import { generateVapidKeys } from "../../webpush/vapid.ts";
import { fixedOrigins } from "../fixed-origins.ts";
import { subscriptionOf } from "./by-http.ts";
import type { FrozenBrowser } from "./facts.ts";
import { publicUrl, type Stage } from "./stage.ts";

/** One more VAPID key, the one to subscribe with from now on. No command makes a second one yet. */
export function addVapidKey(dataFolder: string): void {
  const { publicKey, privateKey } = generateVapidKeys();
  const vault = openVault({ dataFolder, randomBytes });
  const sealed = vault.seal(vapidKeyLabel(publicKey), Buffer.from(privateKey, "base64url"));
  const database = new DatabaseSync(join(dataFolder, "sineta.db"));
  database
    .prepare(
      "insert into vapid_keys (project_id, public_key, sealed_private_key, created_at_ms) values (1, ?, ?, ?)",
    )
    .run(publicKey, sealed, Date.now());
  database.close();
}

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** The parts of a server that delivers page by page, as `step` says. */
export async function openBench({ dataFolder, environment, ca }: Stage) {
  const now = Date.now;
  const store = await openDataFolder(dataFolder, now());
  const opened = await openDefaultProject({ store, dataFolder, randomBytes, nowMs: now() });
  const project = { ...opened, origins: fixedOrigins([publicUrl]) };
  const endpointPolicy = {
    hosts: readPushHosts(environment.SINETA_PUSH_HOSTS) ?? [],
    routes: readPushRoutes(environment.SINETA_PUSH_ROUTES) ?? [],
  };
  const sender = createSender({ policy: endpointPolicy, subject: publicUrl, ca });
  const metrics = { pushes: () => undefined, breaker: () => undefined };
  const log = createLog("silent", { write: () => undefined });
  const dispatch = createDispatch({
    store: store.delivery,
    messages: store.messages,
    breakers: createBreakers({ store: store.breakers, log, metrics, now }),
    send: createPushSender({ sender, project, now }),
    metrics,
    owner: randomUUID(),
    leaseMs: 60_000,
    concurrency: 1,
    pageSize: 4,
    planKeys: 20,
    unprovenSlots: 1,
    lookups: 1,
    unprovenPageSize: 4,
    patienceMs: 1_000,
    turnsPerDestination: 1,
    probes: { most: 8, mostUnproven: 8 },
    withdraw: async () => undefined,
    dueInZone,
    now,
    random: () => 0,
    pause: async () => undefined,
    log,
  });
  const registrations = createRegistrations({
    store: store.registrations,
    endpointPolicy,
    unknownKeys: createUnknownKeys({ log, now }),
    randomBytes,
    now,
  });
  const messages = createMessages({
    store,
    endpointPolicy,
    vapidSubject: publicUrl,
    newId: randomUUIDv7,
    delivers: () => true,
    now,
  });
  const never = new AbortController().signal;

  async function step(): Promise<boolean> {
    const worked = await dispatch.step(never, () => undefined);
    await dispatch.turnsEnded();
    return worked;
  }

  const bench = {
    store,
    project,
    messages,
    step,
    async untilIdle() {
      while (await step());
    },
    async publish(request: MessageRequest): Promise<string> {
      const result = await messages.publish(project, request, commandLineAsker());
      if (result.kind === "refused") throw new Error(result.code);
      return result.published.id;
    },
    async status(id: string) {
      const status = await messages.status(project, id);
      if (status === null) throw new Error(`there is no message ${id}`);
      return status;
    },
    /** Registers it, or in the place of an earlier registration of its. */
    async register(name: string, host: string, earlier?: FrozenBrowser): Promise<FrozenBrowser> {
      const vapidKey = project.keys.current.publicKey;
      const clientSecret = earlier?.clientSecret ?? randomBytes(32).toString("base64url");
      const subscription = subscriptionOf(name, host);
      const token = earlier === undefined ? {} : { token: earlier.token };
      const result = await registrations.register({
        project,
        origin: publicUrl,
        clientSecret,
        userAgent: undefined,
        body: { subscription, vapidKey, ...token },
      });
      if (result.kind === "error") throw new Error(result.code);
      const { topics = [], name: earlierName = null } = earlier ?? {};
      const { token: own } = result;
      return { name, earlierName, token: own, clientSecret, vapidKey, state: "live", topics };
    },
    async close() {
      await sender.close();
      await store.close();
    },
  };
  return bench;
}

const fcm = "fcm.googleapis.com";
const mozilla = "updates.push.services.mozilla.com";

/** Messages that are not at their end. */
export async function deliverInPart(
  bench: Bench,
  stage: Stage,
  { browsers, called }: { browsers: FrozenBrowser[]; called: (name: string) => FrozenBrowser },
) {
  const all = { kind: "all" } as const;
  for (const n of [1, 2, 3, 4, 5]) {
    browsers.push(await bench.register(`second-key-${n}`, fcm));
  }
  browsers.push(await bench.register("second-key-6", mozilla));

  const local = await bench.publish({
    target: { kind: "topic", topic: "news" },
    notification: { title: "Bom dia" },
    urgency: "low",
    // Auckland's clocks are ahead of it, all others behind.
    scheduleAtLocal: new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 19),
  });
  stage.answer = () => ({ status: 201 });
  await bench.untilIdle();

  stage.answer = ({ browser }) =>
    browser.startsWith("own") ? { status: 429, retryAfterSeconds: 3000 } : { status: 201 };
  const paused = await bench.publish({
    target: { kind: "topic", topic: "team" },
    notification: { title: "Reunião" },
    urgency: "very-low",
  });
  await bench.untilIdle();

  stage.answer = ({ browser }) =>
    browser.startsWith("made-up") || browser === "fcm-2" ? { status: 503 } : { status: 201 };
  const stopped = await bench.publish({ target: all, notification: { title: "Engano" } });
  for (let steps = 0; steps < 3; steps += 1) await bench.step();
  await bench.messages.cancel(bench.project, stopped, commandLineAsker());
  await bench.untilIdle();

  const open = await bench.publish({
    target: all,
    notification: { title: "Fornada das cinco" },
    urgency: "high",
  });
  // Starts, and plans two parts of the audience: one page of each destination beside each of them.
  for (let steps = 0; steps < 3; steps += 1) await bench.step();
  // One that was sent to at its old place, and one that was not.
  const sent = called("mozilla-6");
  const unsent = called("fcm-10");
  Object.assign(sent, await bench.register("moved-1", fcm, sent));
  Object.assign(unsent, await bench.register("moved-2", mozilla, unsent));
  await leaseOne(bench, open);
  return { local, paused, stopped, open };
}

/** As of a server that was killed in the middle of a page. */
async function leaseOne({ store }: Bench, messageId: string): Promise<void> {
  const { delivery } = store;
  const nowMs = Date.now();
  const lease = { owner: "killed", untilMs: nowMs + 60_000 };
  for (const destination of await delivery.readyDestinations(nowMs)) {
    if ((await delivery.lease(destination, messageId, lease, nowMs)) !== null) return;
  }
  throw new Error("nothing of the message is left to lease");
}
