/** Data folders that earlier versions wrote: what this version makes of them. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  accountSchema,
  audienceSchema,
  auditListSchema,
  draftSchema,
  messageListSchema,
  messageStatusSchema,
  publishedSchema,
  registrationStorySchema,
  topicListSchema,
  type MessageStatus,
  type Urgency,
} from "@sineta/protocol";
import { openDataFolder } from "../../data-folder.ts";
import { openDefaultProject } from "../../projects/open.ts";
import { labelOf } from "../../secrets/labels.ts";
import { openVault } from "../../secrets/vault.ts";
import type { ServiceProgress, Store } from "../../store/port.ts";
import { pushServiceNameOf } from "../../webpush/push-hosts.ts";
import { softwarePasskey } from "../software-passkey.ts";
import type { Facts, FrozenBrowser } from "./facts.ts";
import { bearer, passkeyHome, setStage, type Stage, type StagedServer } from "./stage.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const frozen = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What an earlier version told by push origin, summed up. */
function byPushService(progress: NonNullable<Facts["progress"]>): ServiceProgress[] {
  const services = new Map<string, ServiceProgress>();
  for (const { pushOrigin, planned, counts } of progress) {
    const pushService = pushServiceNameOf(pushOrigin);
    const sum = services.get(pushService);
    if (sum === undefined) {
      services.set(pushService, { pushService, planned, counts: { ...counts } });
      continue;
    }
    sum.planned += planned;
    for (const kind of ["accepted", "gone", "retry", "rejected", "failed"] as const) {
      sum.counts[kind] += counts[kind];
    }
  }
  return [...services.values()];
}

describe.each(frozen)("the data folder %s", (name) => {
  const folder = join(import.meta.dirname, name);
  const written = readFileSync(join(folder, "facts.json"), "utf8");
  // As an earlier version named it in its answers.
  const facts = JSON.parse(written.replaceAll('"scheduledAt"', '"scheduleAt"')) as Facts;
  const live = facts.browsers.filter(({ state }) => state === "live");
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
    const { dataFolder } = stage;
    mkdirSync(dataFolder);
    const database = gunzipSync(readFileSync(join(folder, "sineta.db.gz")));
    writeFileSync(join(dataFolder, "sineta.db"), database);
    copyFileSync(join(folder, "secret"), join(dataFolder, "secret"));
    chmodSync(join(dataFolder, "secret"), 0o600);
  });
  afterEach(() => stage.close());

  /** It is as long since the folder was frozen. */
  const setClock = (sinceMs: number) => stage.setClock(facts.frozenAtMs + sinceMs - Date.now());

  describe("opened by the store", () => {
    let store: Store;
    beforeEach(async () => {
      store = await openDataFolder(stage.dataFolder, facts.frozenAtMs + minuteMs);
    });
    afterEach(() => store.close());

    const projectOf = () =>
      openDefaultProject({
        store,
        dataFolder: stage.dataFolder,
        randomBytes,
        nowMs: facts.frozenAtMs + minuteMs,
      });

    test("has every message as it was", async () => {
      const { id: projectId } = await projectOf();
      for (const { id, state, counts, receipts } of Object.values(facts.messages)) {
        expect(await store.messages.find(projectId, id)).toMatchObject({ state, counts, receipts });
      }
    });

    test("tells of a message that is done what it told", async () => {
      const { id } = facts.messages.done;
      const byOrigin = <Each extends { pushOrigin: string }>(each: readonly Each[]) =>
        each.toSorted((one, other) => (one.pushOrigin < other.pushOrigin ? -1 : 1));
      const { services = byPushService(facts.progress ?? []) } = facts;
      const byName = (each: readonly ServiceProgress[]) =>
        each.toSorted((one, other) => (one.pushService < other.pushService ? -1 : 1));
      expect(byName(await store.messages.progress(id))).toEqual(byName(services));
      expect(byOrigin(await store.messages.reasons(id))).toMatchObject(byOrigin(facts.reasons));
      const { exceptions } = await store.messages.exceptions(id, { afterId: 0, limit: 100 });
      expect(exceptions).toMatchObject(facts.exceptions);
      const ofAction = await store.receipts.clicksByAction(id);
      expect(Object.fromEntries(ofAction)).toEqual(facts.messages.done.clicksByAction);
    });

    test("knows which push service is left alone, and what it holds", async () => {
      const { keys } = await projectOf();
      const known = (await store.breakers.list()).map(
        ({ vapidKeyId, pushOrigin, reason, detail, openedAtMs }) => {
          const vapidKey = keys.all.find(({ id }) => id === vapidKeyId)?.publicKey;
          return { pushOrigin, vapidKey, reason, detail, openedAtMs };
        },
      );
      expect(known).toEqual(facts.breakers);
      for (const message of [facts.messages.paused, facts.messages.open]) {
        const held = await store.messages.heldBy(message.id);
        expect(held).toMatchObject(message.held.map(({ pushOrigin }) => ({ pushOrigin })));
      }
    });

    test("knows where a push was accepted before, and where none ever was", async () => {
      const { keys } = await projectOf();
      const [vapidKeyId = 0] = keys.all.flatMap((key) =>
        key.publicKey === facts.browsers[0]?.vapidKey ? [key.id] : [],
      );
      const hasEverAccepted = (pushOrigin: string) =>
        store.breakers.hasEverAccepted({ pushOrigin, vapidKeyId });
      const { proven = facts.progress?.map(({ pushOrigin }) => pushOrigin) ?? [] } = facts;
      expect(proven).not.toEqual([]);
      for (const pushOrigin of proven) {
        expect(await hasEverAccepted(pushOrigin)).toBe(true);
      }
      for (const { pushOrigin } of facts.breakers) {
        expect(await hasEverAccepted(pushOrigin)).toBe(false);
      }
    });

    test("opens all that is sealed", async () => {
      const { keys } = await projectOf();
      const used = new Set(facts.browsers.map(({ vapidKey }) => vapidKey));
      expect(new Set(keys.all.map(({ publicKey }) => publicKey))).toEqual(used);
      const vault = openVault({ dataFolder: stage.dataFolder, randomBytes });
      const opened = (await store.sealed.all()).map(({ place, sealed }) => {
        return { kind: place.kind, bytes: vault.open(labelOf(place), sealed).length };
      });
      expect(opened.map(({ kind }) => kind).toSorted()).toEqual([
        "project-secret",
        "project-secret",
        "totp-secret",
        "vapid-key",
        "vapid-key",
      ]);
      expect(opened.filter(({ bytes }) => bytes === 0)).toEqual([]);
    });

    test("has everybody who was there, and nobody who was not", async () => {
      const { id } = await projectOf();
      expect(await store.registrations.countLive(id)).toBe(live.length);
      for (const { token, state } of facts.browsers) {
        expect((await store.audience.story(id, token, 1))?.state ?? null).toBe(state);
      }
    });
  });

  describe("served", () => {
    let server: StagedServer;
    beforeEach(async () => {
      setClock(minuteMs);
    });

    const project = "projects/default";
    const asKey = async (method: string, path: string, body?: object): Promise<unknown> =>
      (
        await server.ask(method, `${project}/${path}`, {
          headers: bearer(facts.apiKey),
          ...(body === undefined ? {} : { body }),
        })
      ).json();
    const asOwner = async (path: string): Promise<unknown> =>
      (await server.ask("GET", path, { headers: { Cookie: facts.sessionCookie } })).json();
    const status = async (id: string) =>
      messageStatusSchema.parse(await asKey("GET", `messages/${id}`));

    test("its operator comes in by session, password with second factor, and passkey", async () => {
      server = await stage.serve();
      const { email, password, totpSecret, recoveryCode } = facts.operator;
      const before = accountSchema.parse(await asOwner("session"));
      expect(before).toMatchObject({ email, roles: { default: "owner" } });
      expect(before.secondFactor).toEqual({ recoveryCodesLeft: 10 });
      expect(before.passkeys.map(({ name: each }) => each)).toEqual(["notebook"]);

      const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) });
      const code = totp.generate({ timestamp: facts.frozenAtMs + minuteMs });
      for (const secondFactor of [code, recoveryCode]) {
        const body = { email, password, secondFactor };
        expect((await server.ask("POST", "session", { body })).status).toBe(200);
      }
      await expect(server.ask("POST", "session", { body: { email, password } })).rejects.toThrow(
        "second-factor-missing",
      );

      const options: unknown = await (
        await server.ask("POST", "passkey-login/options", { body: {} })
      ).json();
      const credential = softwarePasskey(passkeyHome, facts.passkey).use(options);
      const entered = await server.ask("POST", "passkey-login", { body: { credential } });
      expect(await entered.json()).toMatchObject({ email });
      expect(accountSchema.parse(await asOwner("session")).secondFactor).toEqual({
        recoveryCodesLeft: 9,
      });
      await server.stop();
    });

    test("what was written is there: draft, picture, topics, audit, registrations, messages", async () => {
      server = await stage.serve();
      const { draft, image, messages } = facts;
      const read = draftSchema.parse(await asOwner(`${project}/drafts/${draft.id}`));
      expect(read.content).toEqual(draft.content);
      const picture = await fetch(new URL(image.path, server.url));
      expect(Buffer.from(await picture.arrayBuffer()).toString("base64")).toBe(image.base64);

      const { topics } = topicListSchema.parse(await asKey("GET", "topics"));
      const isIn = (topic: string) => live.filter((each) => each.topics.includes(topic)).length;
      expect(topics).toMatchObject([
        { name: "news", policy: "open", registrations: isIn("news") },
        { name: "team", policy: "kept", registrations: isIn("team") },
      ]);
      const audience = audienceSchema.parse(await asKey("GET", "audience"));
      expect(audience.live).toBe(live.length);
      const known = live[0];
      const story = registrationStorySchema.parse(
        await asKey("GET", `registrations/${known?.token}`),
      );
      expect(story).toMatchObject({ state: "live", locale: "pt-BR" });
      const { lines } = auditListSchema.parse(await asOwner(`${project}/audit?limit=100`));
      const actions = lines.map(({ action }) => action);
      expect(actions.slice(-facts.auditActions.length)).toEqual(facts.auditActions);

      const list = messageListSchema.parse(await asKey("GET", "messages"));
      expect(list.messages.map(({ id }) => id).toSorted()).toEqual(
        Object.values(messages)
          .map(({ id }) => id)
          .toSorted(),
      );
      const found = messageListSchema.parse(await asKey("GET", "messages?search=fornada"));
      expect(found.messages.map(({ id }) => id)).toEqual([messages.open.id]);
      // Reported once more: it is known, and counts no second time.
      const { receipt } = facts;
      await server.ask("POST", `${project}/receipts`, { body: receipt });
      for (const ended of [messages.done, messages.cancelled, messages.stopped]) {
        expect(await status(ended.id)).toMatchObject(ended);
      }
      await server.stop();
    });

    test("what was not sent yet is sent, to everybody once and under the right key", async () => {
      server = await stage.serve();
      const { messages, accepted } = facts;
      // By now everything that was put off is due, and it is the right time of day everywhere.
      setClock(dayMs);
      const sent = async (
        message: MessageStatus,
        urgency: Urgency & keyof Facts["accepted"],
        to: FrozenBrowser[],
      ) => {
        await server.until(facts.apiKey, message.id, "done");
        const { counts, audience } = await status(message.id);
        expect(counts).toEqual({ accepted: to.length, gone: 0, retry: 0, rejected: 0, failed: 0 });
        expect(audience).toEqual({ registrations: to.length, complete: true });
        const pushes = stage.seen.filter((push) => push.urgency === urgency);
        const reached = [...accepted[urgency], ...pushes.map(({ browser }) => browser)];
        const current = new Map(facts.browsers.map((each) => [each.earlierName, each.name]));
        expect(reached.map((each) => current.get(each) ?? each).toSorted()).toEqual(
          to.map((each) => each.name).toSorted(),
        );
        const keys = new Map(to.map((each) => [each.name, each.vapidKey]));
        expect(pushes.filter(({ browser, vapidKey }) => keys.get(browser) !== vapidKey)).toEqual(
          [],
        );
      };
      const inTopic = (topic: string) => live.filter((each) => each.topics.includes(topic));
      await sent(messages.open, "high", live);
      await sent(messages.local, "low", inTopic("news"));
      await sent(messages.paused, "very-low", inTopic("team"));
      expect(await status(messages.done.id)).toMatchObject(messages.done);

      const { userId, browser } = facts.user;
      const target = { kind: "user", userId };
      const request = { target, notification: { title: "Para você" } };
      const { id } = publishedSchema.parse(await asKey("POST", "messages", request));
      expect((await server.until(facts.apiKey, id, "done")).counts.accepted).toBe(1);
      expect(stage.seen.at(-1)).toMatchObject({ browser, urgency: "normal" });
      expect(await status(messages.scheduled.id)).toMatchObject({ state: "scheduled" });
      setClock(21 * dayMs);
      await server.until(facts.apiKey, messages.scheduled.id, "done");
      expect((await status(messages.scheduled.id)).counts.accepted).toBe(live.length);
      await server.stop();
    });
  });
});
