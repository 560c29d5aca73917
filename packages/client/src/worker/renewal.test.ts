import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { oneAfterTheOther } from "../lock.ts";
import { forgetIdentity, listConfirmed } from "../storage/identities.ts";
import { subscribeAndRegisterHeld } from "../subscription.ts";
import { fakeBrowser, requests, sentBody, sentSecret } from "../test/browser.ts";
import { handleSubscriptionChange, workerDependencies } from "./index.ts";

const vapidKey = `B${"A".repeat(86)}`;
const otherKey = `B${"Q".repeat(85)}A`;
const shop = "https://avisos.example/v1/projects/loja/registrations";
const blog = "https://avisos.example/v1/projects/blog/registrations";

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  browser = fakeBrowser();
  browser.fetch.mockImplementation(async (url) => Response.json({ token: `token at ${url}` }));
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const registration = () => browser.registration as unknown as ServiceWorkerRegistration;

/** What a page does, and what it leaves behind for the worker. */
async function registerAt(registrationsUrl: string, key = vapidKey) {
  vi.setSystemTime(Date.now() + 1000);
  await subscribeAndRegisterHeld(registration(), registrationsUrl, key);
}

/** The browser has dropped the subscription: Firefox for a new `uaid`, others for a permission taken and given again. */
async function dropSubscription() {
  await (await browser.pushManager.getSubscription())?.unsubscribe();
  browser.pushManager.subscribe.mockClear();
}

/** Runs the handler as the browser does, with both subscriptions missing. */
async function tellWorker() {
  const worker = { registration: registration(), clients: {}, navigator };
  const dependencies = workerDependencies(worker as unknown as ServiceWorkerGlobalScope);
  let handled: Promise<unknown> | undefined;
  const event = {
    oldSubscription: null,
    newSubscription: null,
    waitUntil: (work: Promise<unknown>) => (handled = work),
  };
  handleSubscriptionChange(event as unknown as ExtendableEvent, dependencies);
  await handled;
}

it("keeps the token: the new subscription goes to the server with token and secret", async () => {
  await registerAt(shop);
  await dropSubscription();
  await tellWorker();
  expect(requests(browser.fetch)).toEqual([`POST ${shop}`, `POST ${shop}`]);
  expect(sentBody(browser.fetch, 1)).toMatchObject({
    token: `token at ${shop}`,
    vapidKey,
    subscription: { endpoint: "https://push.example/2" },
  });
  expect(sentSecret(browser.fetch, 1)).toBe(sentSecret(browser.fetch, 0));
  expect(await listConfirmed()).toMatchObject([
    { confirmed: { token: `token at ${shop}`, endpoint: "https://push.example/2" } },
  ]);
});

it("tells the server of a subscription that the browser has renewed by itself", async () => {
  await registerAt(shop);
  await dropSubscription();
  await browser.pushManager.subscribe({ applicationServerKey: vapidKey });
  await tellWorker();
  expect(sentBody(browser.fetch, 1)).toMatchObject({
    token: `token at ${shop}`,
    subscription: { endpoint: "https://push.example/2" },
  });
});

it("replaces a subscription made with another key than the one that was confirmed", async () => {
  await registerAt(shop);
  await dropSubscription();
  await browser.pushManager.subscribe({ applicationServerKey: otherKey });
  await tellWorker();
  expect(sentBody(browser.fetch, 1)).toMatchObject({
    token: `token at ${shop}`,
    vapidKey,
    subscription: { endpoint: "https://push.example/3" },
  });
});

it("renews for everyone who shares the key, also past one that cannot be reached", async () => {
  await registerAt(shop);
  await registerAt(blog);
  await dropSubscription();
  browser.fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(tellWorker()).rejects.toMatchObject({ code: "server-unreachable" });
  expect(requests(browser.fetch).slice(2)).toEqual([`POST ${blog}`, `POST ${shop}`]);
  for (const sent of [2, 3]) {
    expect(sentBody(browser.fetch, sent).subscription.endpoint).toBe("https://push.example/2");
  }
});

it("leaves alone whoever was confirmed earlier with another key: there is one subscription", async () => {
  await registerAt(shop, otherKey);
  await registerAt(blog);
  await dropSubscription();
  await tellWorker();
  expect(requests(browser.fetch).slice(2)).toEqual([`POST ${blog}`]);
  expect(browser.pushManager.subscribe).toHaveBeenCalledOnce();
});

it("loses nothing while permission is taken, and goes on when it is given again", async () => {
  await registerAt(shop);
  await dropSubscription();
  browser.pushManager.subscribe.mockRejectedValueOnce(new DOMException("no", "NotAllowedError"));
  await expect(tellWorker()).rejects.toMatchObject({ code: "subscribe-failed" });
  expect(browser.fetch).toHaveBeenCalledOnce();
  await tellWorker();
  expect(sentBody(browser.fetch, 1)).toMatchObject({ token: `token at ${shop}` });
  expect(sentSecret(browser.fetch, 1)).toBe(sentSecret(browser.fetch, 0));
});

it("keeps what was confirmed when the server is down", async () => {
  await registerAt(shop);
  const before = await listConfirmed();
  await dropSubscription();
  browser.fetch.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
  await expect(tellWorker()).rejects.toMatchObject({ problem: "HTTP 502" });
  expect(await listConfirmed()).toEqual(before);
});

it("registers no visitor who left while it waited for the lock", async () => {
  await registerAt(shop);
  const left = Promise.withResolvers<void>();
  const leaving = oneAfterTheOther("registration", async () => {
    await left.promise;
    await forgetIdentity(shop);
  });
  const askForLock = vi.spyOn(navigator.locks, "request");
  const told = tellWorker();
  // By then the worker has read who is confirmed.
  await vi.waitFor(() => expect(askForLock).toHaveBeenCalledOnce());
  left.resolve();
  await Promise.all([leaving, told]);
  expect(requests(browser.fetch)).toEqual([`POST ${shop}`]);
  expect(await listConfirmed()).toEqual([]);
});

it("does nothing for a browser that no server has confirmed", async () => {
  await tellWorker();
  expect(browser.fetch).not.toHaveBeenCalled();
  expect(browser.pushManager.subscribe).not.toHaveBeenCalled();
});
