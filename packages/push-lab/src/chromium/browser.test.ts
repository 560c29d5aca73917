import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { type PushLab, startPushLab } from "../lab.ts";
import {
  type PushSubscriptionJson,
  sealPush,
  sendOverHttp1,
  sendOverHttp2,
  vapidKeys,
} from "../test/application-server.ts";
import { type PushPage, startPushPage } from "../test/push-page.ts";
import { allowNotifications } from "./notification-permission.ts";

/** Debian's Chromium, and Playwright's own elsewhere. */
const debianChromium = "/usr/bin/chromium";
const executable = existsSync(debianChromium) ? { executablePath: debianChromium } : {};
/** Root may start it only without its sandbox. */
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

let lab: PushLab;
let site: PushPage;
let contexts: BrowserContext[];
let profiles: string[];

beforeAll(async () => {
  lab = await startPushLab();
  site = await startPushPage();
});
afterAll(async () => {
  await site.close();
  await lab.close();
});
beforeEach(() => {
  contexts = [];
  profiles = [];
});
afterEach(async () => {
  lab.chromium.recover();
  await Promise.all(contexts.map((context) => context.close()));
  await Promise.all(profiles.map((profile) => rm(profile, { recursive: true, force: true })));
});

/** A profile in which the visitor has allowed this page its notifications. */
async function newProfile(origin = site.origin): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), "push-lab-profile-"));
  profiles.push(profile);
  await allowNotifications(profile, [origin]);
  return profile;
}

async function launch(profile: string, args = lab.chromium.args): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    ...executable,
    args: [...sandbox, ...args],
  });
  contexts.push(context);
  return context;
}

async function open(context: BrowserContext, url = site.origin): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function subscribe(page: Page): Promise<PushSubscriptionJson> {
  return JSON.parse(await page.evaluate<string>("subscribe()"));
}

/** What the page's worker has received and opened, once there are this many. */
async function received(page: Page, count: number): Promise<unknown> {
  return await page.evaluate(`receivedAtLeast(${count})`);
}

const pushed = (id: string | undefined) => lab.pushes().find((push) => push.id === id);

describe("a real Chromium", { timeout: 180_000 }, () => {
  test("subscribes right after its launch, opens what it is sent, and acknowledges it", async () => {
    const page = await open(await launch(await newProfile()));
    const subscription = await subscribe(page);
    expect(lab.subscriptions().at(-1)).toMatchObject({
      endpoint: subscription.endpoint,
      origin: site.origin,
      applicationServerKey: vapidKeys.publicKey,
    });

    expect((await sendOverHttp2(lab, sealPush(subscription, "Olá!"))).status).toBe(201);
    const first = await lab.nextPush();
    expect(await received(page, 1)).toEqual(["Olá!"]);
    await lab.until(() => pushed(first.id)?.acknowledged);

    expect((await sendOverHttp1(lab, sealPush(subscription, null))).status).toBe(201);
    expect(await received(page, 2)).toEqual(["Olá!", null]);
    const second = await lab.nextPush();
    expect((await lab.until(() => pushed(second.id))).body.byteLength).toBe(0);
    await lab.until(() => pushed(second.id)?.acknowledged);

    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    for (const text of texts) await sendOverHttp2(lab, sealPush(subscription, text));
    expect(await received(page, 14)).toEqual(["Olá!", null, ...texts]);
    await lab.until(() => lab.pushes().every(({ acknowledged }) => acknowledged));
  });

  test("gets its own messages only, beside another profile", async () => {
    const [foxPage, owlPage] = [
      await open(await launch(await newProfile())),
      await open(await launch(await newProfile())),
    ];
    const fox = await subscribe(foxPage);
    const owl = await subscribe(owlPage);
    const browsers = lab
      .subscriptions()
      .slice(-2)
      .map(({ browser }) => browser);
    expect(browsers[0]).not.toBe(browsers[1]);

    await sendOverHttp2(lab, sealPush(owl, "for the owl"));
    await sendOverHttp2(lab, sealPush(fox, "for the fox"));
    expect(await received(foxPage, 1)).toEqual(["for the fox"]);
    expect(await received(owlPage, 1)).toEqual(["for the owl"]);
  });

  test("ends its subscription by unsubscribing", async () => {
    const page = await open(await launch(await newProfile()));
    const subscription = await subscribe(page);
    expect(await page.evaluate("unsubscribe()")).toBe(true);
    const ended = await lab.until(() =>
      lab
        .subscriptions()
        .find(({ endpoint, ended: end }) => end && endpoint === subscription.endpoint),
    );
    expect(ended.ended?.status).toBe(410);
    expect((await sendOverHttp2(lab, sealPush(subscription, "late"))).status).toBe(410);

    const again = await subscribe(page);
    expect(again.endpoint).not.toBe(subscription.endpoint);
    await sendOverHttp2(lab, sealPush(again, "again"));
    expect(await received(page, 1)).toEqual(["again"]);
  });

  test("comes back after a relaunch, and gets what waited for it", async () => {
    const profile = await newProfile();
    const context = await launch(profile);
    const page = await open(context);
    const subscription = await subscribe(page);
    await sendOverHttp2(lab, sealPush(subscription, "while it runs"));
    await received(page, 1);
    const left = new Promise<void>((resolve) => {
      const stop = lab.onEvent(({ type }) => {
        if (type !== "disconnected") return;
        stop();
        resolve();
      });
    });
    await context.close();
    await left;

    await sendOverHttp2(lab, sealPush(subscription, "replaced", { topic: "score" }));
    await sendOverHttp2(lab, sealPush(subscription, "while it was away"));
    await sendOverHttp2(lab, sealPush(subscription, "newest score", { topic: "score" }));
    await sendOverHttp2(lab, sealPush(subscription, "now or never", { ttlSeconds: 0 }));
    const away = lab.pushes().slice(-4);
    expect(away.map(({ delivery }) => delivery)).toEqual([
      "replaced",
      "queued",
      "queued",
      "expired",
    ]);

    const back = await open(await launch(profile));
    expect(JSON.parse(await back.evaluate<string>("currentSubscription()"))).toEqual(
      JSON.parse(JSON.stringify({ expirationTime: null, ...subscription })),
    );
    expect(await received(back, 3)).toEqual(["while it runs", "while it was away", "newest score"]);
    await lab.until(() => away.slice(1, 3).every(({ id }) => pushed(id)?.acknowledged));
  });

  test("is told of a registration that fails, waits for one that hangs, and gets through", async () => {
    const page = await open(await launch(await newProfile()));
    for (const error of ["QUOTA_EXCEEDED", "INVALID_SENDER"] as const) {
      lab.chromium.failRegistrations(error);
      await expect(subscribe(page)).rejects.toThrow("Registration failed - push service error");
    }
    const registered = lab.subscriptions().length;
    lab.chromium.hangRegistrations();
    const held = new Promise<void>((resolve) => {
      const stop = lab.onEvent(({ type }) => {
        if (type !== "registration-held") return;
        stop();
        resolve();
      });
    });
    const hanging = subscribe(page);
    await held;
    expect(lab.subscriptions()).toHaveLength(registered);
    lab.chromium.recover();
    expect((await hanging).endpoint).toBe(lab.subscriptions().at(-1)?.endpoint);
  });

  test("finds played hosts, over https with the lab's certificate, and nobody else", async () => {
    const host = "shop.example";
    const secure = await startPushPage(await lab.certificateFor([host]));
    try {
      const origin = secure.origin.replace("127.0.0.1", host);
      const context = await launch(
        await newProfile(origin),
        lab.chromium.argsFor({ hosts: [host] }),
      );
      const page = await open(context, origin);
      const subscription = await subscribe(page);
      await sendOverHttp2(lab, sealPush(subscription, "over https"));
      expect(await received(page, 1)).toEqual(["over https"]);

      await page.goto(site.origin.replace("127.0.0.1", host));
      expect(await page.evaluate("isSecureContext")).toBe(false);
      // A name that every Chromium resolves by itself, to this very page, unless it is forbidden to.
      const others = site.origin.replace("127.0.0.1", "other.localhost");
      await expect(page.goto(others)).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
    } finally {
      await secure.close();
    }
  });
});
