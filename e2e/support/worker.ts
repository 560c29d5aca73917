/** What a scenario does with the worker's registration from the page. */
import { expect } from "@playwright/test";
import type { Tab } from "./browsers/port.ts";

const scope = "/sineta-push-scope/";

/** The page's push subscription; null where there is none. */
export function subscriptionOf(tab: Tab): Promise<PushSubscriptionJSON | null> {
  return tab.run(async (path) => {
    const registration = await navigator.serviceWorker.getRegistration(path);
    return (await registration?.pushManager.getSubscription())?.toJSON() ?? null;
  }, scope);
}

/** Waits until the page has a subscription, and gives it. */
export async function subscriptionIn(tab: Tab): Promise<PushSubscriptionJSON> {
  await expect.poll(() => subscriptionOf(tab)).not.toBe(null);
  return (await subscriptionOf(tab)) ?? {};
}

/** Somebody's script on the page replaces the subscription by one that is made with that key. */
export function resubscribe(tab: Tab, vapidKey: string): Promise<void> {
  return tab.run(
    async ([path, applicationServerKey]) => {
      const registration = await navigator.serviceWorker.getRegistration(path);
      await (await registration?.pushManager.getSubscription())?.unsubscribe();
      await registration?.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    },
    [scope, vapidKey] as const,
  );
}

/** Ends the subscription, without a word to anybody. */
export function unsubscribe(tab: Tab): Promise<void> {
  return tab.run(async (path) => {
    const registration = await navigator.serviceWorker.getRegistration(path);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  }, scope);
}

/** Has the browser look for a new version of the worker's file, and waits until that is the active one. */
export function updateWorker(tab: Tab): Promise<void> {
  return tab.run(async (path) => {
    const registration = await navigator.serviceWorker.getRegistration(path);
    const before = registration?.active;
    await registration?.update();
    await new Promise<void>((resolve) => {
      const look = () => {
        const { active } = registration ?? {};
        if (active && active !== before && active.state === "activated") resolve();
        else setTimeout(look, 20);
      };
      look();
    });
  }, scope);
}

/** Path of the active worker's file, and the worker's state. */
export function activeScriptOf(tab: Tab): Promise<string | null> {
  return tab.run(async (path) => {
    const active = (await navigator.serviceWorker.getRegistration(path))?.active;
    return active ? `${new URL(active.scriptURL).pathname} ${active.state}` : null;
  }, scope);
}

/** Installs another worker in our scope, as a script of the page may. */
export function registerWorker(tab: Tab, address: string): Promise<void> {
  return tab.run(
    ([url, path]) => navigator.serviceWorker.register(url, { scope: path }).then(() => undefined),
    [address, scope] as const,
  );
}

/** Unregisters our worker, as a script of the page may, and waits until the browser has let it end its work. */
export async function unregisterWorker(tab: Tab): Promise<void> {
  await tab.run(async (path) => {
    await (await navigator.serviceWorker.getRegistration(path))?.unregister();
  }, scope);
  await expect.poll(() => scopesOf(tab)).toEqual([]);
}

/** Paths of the scopes that have a worker on this site. */
export function scopesOf(tab: Tab): Promise<string[]> {
  return tab.run(
    async () =>
      (await navigator.serviceWorker.getRegistrations()).map((one) => new URL(one.scope).pathname),
    null,
  );
}
