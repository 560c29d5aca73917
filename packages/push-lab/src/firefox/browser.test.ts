import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { LabEvent } from "../events.ts";
import { type PushLab, startPushLab } from "../lab.ts";
import { openFirefox } from "../puppeteer/index.ts";
import {
  type PushSubscriptionJson,
  sealPush,
  sendOverHttp1,
  sendOverHttp2,
  signedPush,
  vapidKeys,
} from "../test/application-server.ts";
import { leave } from "../test/leave.ts";
import { type PushPage, startPushPage } from "../test/push-page.ts";
import { allowNotificationsInFirefox } from "./notification-permission.ts";

let lab: PushLab;
let site: PushPage;
const refused: LabEvent[] = [];
/** A browser takes its time on a busy machine. */

beforeAll(async () => {
  lab = await startPushLab();
  site = await startPushPage();
  lab.onEvent((event) => {
    if (event.type === "proxy-refused") refused.push(event);
  });
});
afterAll(async () => {
  await site.close();
  await lab.close();
});
/** A profile in which the visitor has allowed this page its notifications. */
async function newProfile(origin = site.origin): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), "push-lab-profile-"));
  await allowNotificationsInFirefox(profile, [origin]);
  return profile;
}

/** Without origins to decide for: what holds is what stands in the profile. */
async function launch(profile: string, hosts: readonly string[] = []): Promise<Browser> {
  return await openFirefox(lab, { userDataDir: profile, origins: [], hosts });
}

async function close(browser: Browser, profile: string): Promise<void> {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}

async function open(browser: Browser, url = site.origin): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

async function subscribe(page: Page): Promise<PushSubscriptionJson> {
  return JSON.parse(String(await page.evaluate("subscribe()")));
}

/** What the page's worker has received and opened, once there are this many. */
async function received(page: Page, count: number): Promise<unknown[]> {
  const texts: unknown = await page.evaluate(`receivedAtLeast(${count})`);
  if (!Array.isArray(texts)) throw new TypeError("the page gave no list");
  return texts;
}

/** Firefox opens messages that come together side by side: which one its worker gets first is left open. */
function inAnyOrder(texts: readonly unknown[]): unknown[] {
  return texts.map(String).toSorted();
}

const pushed = (id: string | undefined) => lab.pushes().find((push) => push.id === id);
const subscription = ({ endpoint }: PushSubscriptionJson) =>
  lab.subscriptions().find((known) => known.endpoint === endpoint);

describe("a real Firefox", { timeout: 180_000 }, () => {
  describe("that stays open", () => {
    let profile: string;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      profile = await newProfile();
      browser = await launch(profile);
    });
    afterAll(() => close(browser, profile));
    beforeEach(async () => {
      page = await open(browser);
    });
    afterEach(async () => {
      lab.firefox.recover();
      await page.evaluate("forget()");
      await page.close();
    });

    test("subscribes, opens what it is sent, and acknowledges it", async () => {
      const subscribed = await subscribe(page);
      expect(subscription(subscribed)).toMatchObject({
        origin: "",
        applicationServerKey: vapidKeys.publicKey,
      });

      expect((await sendOverHttp2(lab, sealPush(subscribed, "Olá!"))).status).toBe(201);
      expect(await received(page, 1)).toEqual(["Olá!"]);
      expect((await sendOverHttp1(lab, sealPush(subscribed, null))).status).toBe(201);
      expect(await received(page, 2)).toEqual(["Olá!", null]);

      const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
      for (const text of texts) await sendOverHttp2(lab, sealPush(subscribed, text));
      expect(inAnyOrder(await received(page, 14))).toEqual(inAnyOrder(["Olá!", null, ...texts]));
      await lab.until(() =>
        lab
          .pushes()
          .every(
            ({ endpoint, delivery }) =>
              endpoint !== subscribed.endpoint || delivery === "acknowledged",
          ),
      );
    });

    test("says of what it cannot open that it could not deliver it", async () => {
      const { endpoint } = await subscribe(page);
      await sendOverHttp2(lab, signedPush({ endpoint, body: Buffer.from("sealed by nobody") }));
      const { id } = await lab.nextPush((push) => push.endpoint === endpoint);
      await lab.until(() => pushed(id)?.delivery === "undelivered");
      expect(pushed(id)).toMatchObject({ undeliveredCode: 101, acknowledged: false });
    });

    test("says that its worker failed on what it had acknowledged", async () => {
      const subscribed = await subscribe(page);
      await sendOverHttp2(lab, sealPush(subscribed, "fail"));
      const { id } = await lab.nextPush((push) => push.endpoint === subscribed.endpoint);
      await lab.until(() => pushed(id)?.delivery === "undelivered");
      expect(pushed(id)).toMatchObject({ undeliveredCode: 302, acknowledged: true });
    });

    test("ends its subscription by unsubscribing", async () => {
      const subscribed = await subscribe(page);
      expect(await page.evaluate("unsubscribe()")).toBe(true);
      const ended = await lab.until(() => subscription(subscribed)?.ended);
      expect(ended.status).toBe(410);
      expect((await sendOverHttp2(lab, sealPush(subscribed, "late"))).status).toBe(410);

      const again = await subscribe(page);
      expect(again.endpoint).not.toBe(subscribed.endpoint);
      await sendOverHttp2(lab, sealPush(again, "again"));
      expect(await received(page, 1)).toEqual(["again"]);
    });

    test("gives a message to its page once, though it came twice", async () => {
      const subscribed = await subscribe(page);
      // Gone before Firefox can acknowledge: the lab sends it again, under the same version.
      const stop = lab.onEvent((event) => {
        if (event.type !== "delivery" || event.push.delivery !== "sent") return;
        stop();
        setImmediate(lab.firefox.disconnect);
      });
      await sendOverHttp2(lab, sealPush(subscribed, "once"));
      const { id } = await lab.nextPush((push) => push.endpoint === subscribed.endpoint);
      await lab.until(() => pushed(id)?.acknowledged);
      await sendOverHttp2(lab, sealPush(subscribed, "next"));
      expect(await received(page, 2)).toEqual(["once", "next"]);
      await lab.until(() => lab.pushes().at(-1)?.delivery === "acknowledged");
      expect(pushed(id)?.delivery).toBe("acknowledged");
    });

    test("is told of a registration that fails, waits for one that hangs, and gets through", async () => {
      lab.firefox.failRegistrations(500);
      await expect(subscribe(page)).rejects.toThrow("Error retrieving push subscription.");
      const registered = lab.subscriptions().length;
      lab.firefox.hangRegistrations();
      let held = false;
      const stop = lab.onEvent(({ type }) => {
        if (type === "registration-held") held = true;
      });
      const hanging = subscribe(page);
      await lab.until(() => held);
      stop();
      expect(lab.subscriptions()).toHaveLength(registered);
      lab.firefox.recover();
      expect((await hanging).endpoint).toBe(lab.subscriptions().at(-1)?.endpoint);
    });

    test("tells its page that the service has forgotten it", async () => {
      const subscribed = await subscribe(page);
      lab.firefox.forgetBrowsers();
      expect(await page.evaluate("subscriptionChange()")).toEqual({
        oldEndpoint: subscribed.endpoint,
        newEndpoint: null,
      });
      expect(await page.evaluate("currentSubscription()")).toBe("null");
      const again = await subscribe(page);
      expect(subscription(again)?.browser).not.toBe(subscription(subscribed)?.browser);
      await sendOverHttp2(lab, sealPush(again, "again"));
      expect(await received(page, 1)).toEqual(["again"]);
    });

    test("gets its own messages only, beside another profile", async () => {
      const otherProfile = await newProfile();
      const other = await launch(otherProfile);
      try {
        const owlPage = await open(other);
        const fox = await subscribe(page);
        const owl = await subscribe(owlPage);
        expect(subscription(fox)?.browser).not.toBe(subscription(owl)?.browser);

        await sendOverHttp2(lab, sealPush(owl, "for the owl"));
        await sendOverHttp2(lab, sealPush(fox, "for the fox"));
        expect(await received(page, 1)).toEqual(["for the fox"]);
        expect(await received(owlPage, 1)).toEqual(["for the owl"]);
      } finally {
        await close(other, otherProfile);
      }
    });

    test("has called nobody but the lab and its page", () => {
      expect(refused).toEqual([]);
    });
  });

  test("comes back after a relaunch, and gets what waited for it", async () => {
    const profile = await newProfile();
    let browser = await launch(profile);
    try {
      const page = await open(browser);
      const subscribed = await subscribe(page);
      await sendOverHttp2(lab, sealPush(subscribed, "while it runs"));
      await received(page, 1);
      await leave(lab, subscription(subscribed)?.browser ?? "", () => browser.close());

      await sendOverHttp2(lab, sealPush(subscribed, "replaced", { topic: "score" }));
      await sendOverHttp2(lab, sealPush(subscribed, "while it was away"));
      await sendOverHttp2(lab, sealPush(subscribed, "newest score", { topic: "score" }));
      await sendOverHttp2(lab, sealPush(subscribed, "now or never", { ttlSeconds: 0 }));
      const away = lab.pushes().slice(-4);
      expect(away.map(({ delivery }) => delivery)).toEqual([
        "replaced",
        "queued",
        "queued",
        "expired",
      ]);

      browser = await launch(profile);
      await lab.until(() => away.slice(1, 3).every(({ id }) => pushed(id)?.acknowledged));
      const back = await open(browser);
      expect(await back.evaluate("Notification.permission")).toBe("granted");
      expect(JSON.parse(String(await back.evaluate("currentSubscription()")))).toEqual(subscribed);
      expect(inAnyOrder(await received(back, 3))).toEqual(
        inAnyOrder(["while it runs", "while it was away", "newest score"]),
      );
    } finally {
      await close(browser, profile);
    }
  });

  test("finds played hosts, over https with the lab's certificate, and nobody else", async () => {
    const host = "shop.example";
    const secure = await startPushPage(await lab.certificateFor([host]));
    const origin = secure.origin.replace("127.0.0.1", host);
    const profile = await newProfile(origin);
    const browser = await launch(profile, [host]);
    try {
      const page = await open(browser, origin);
      const subscribed = await subscribe(page);
      await sendOverHttp2(lab, sealPush(subscribed, "over https"));
      expect(await received(page, 1)).toEqual(["over https"]);
      expect(refused).toEqual([]);
      const others = secure.origin.replace("127.0.0.1", "other.example");
      await expect(page.goto(others)).rejects.toThrow("PROXY");
      expect(refused).toMatchObject([{ target: new URL(others).host }]);
    } finally {
      await close(browser, profile);
      await secure.close();
    }
  });
});
