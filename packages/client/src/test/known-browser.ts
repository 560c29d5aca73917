import { createHash } from "node:crypto";
import { vi } from "vitest";
import type { LookResponse } from "@sineta/protocol";
import type { Healing } from "../loss.ts";
import { fakeBrowser } from "./browser.ts";
import { loadPage, vapidKey } from "./page.ts";

export const otherKey = `B${"Q".repeat(85)}A`;
export const hourMs = 60 * 60 * 1000;
const registrationsUrl = "https://loja.example/v1/projects/default/registrations";
export const registering = `POST ${registrationsUrl}`;
export const looking = `POST ${registrationsUrl}/token-1/look`;

export const hashOf = (endpoint: string) =>
  createHash("sha256").update(endpoint).digest("base64url").slice(0, 12);

/** The server's answer to a look of the browser that it knows. */
export const live: LookResponse = {
  state: "live",
  vapidKey,
  endpointHash: hashOf("https://push.example/1"),
};

/** Lets time pass. The test's clock is a fake. */
export const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A browser that the server has confirmed, and the server's answers, which a test may change. */
export async function knownBrowser() {
  const browser = fakeBrowser();
  const server: Record<"toLook" | "toRegister", () => Response | Promise<Response>> = {
    toLook: () => Response.json(live),
    toRegister: () => Response.json({ token: "token-1" }),
  };
  browser.fetch.mockImplementation(async (url) =>
    String(url).endsWith("/look") ? server.toLook() : server.toRegister(),
  );
  await (await loadPage()).getToken({ vapidKey });
  browser.rest();
  await settled();
  browser.fetch.mockClear();
  browser.pushManager.subscribe.mockClear();
  browser.serviceWorker.register.mockClear();

  /** Loads a page, and waits until its look and healing are over. */
  async function loadAndRest(options = {}) {
    const page = await loadPage(options);
    const told: Healing[] = [];
    page.onHealing((healing) => told.push(healing));
    browser.rest();
    await settled();
    return { page, told };
  }

  return {
    ...browser,
    server,
    loadAndRest,
    /** Does the same in a new tab, an hour later. */
    loadLater(options = {}) {
      pass(hourMs);
      browser.openTab();
      return loadAndRest(options);
    },
    /** Another script of the page's subscribes anew, with that key. */
    async replaceSubscription(applicationServerKey: string) {
      await (await browser.pushManager.getSubscription())?.unsubscribe();
      await browser.pushManager.subscribe({ applicationServerKey });
    },
  };
}

/** Takes more turns of the database than there are between two waits for a lock. */
export async function someTurns() {
  const { listConfirmed } = await import("../storage/identities.ts");
  for (let turn = 0; turn < 20; turn += 1) await listConfirmed();
}

/** Waits until looks and healings are over. */
export async function settled() {
  for (const name of ["sineta-look", "sineta-registration"]) {
    await someTurns();
    await navigator.locks.request(name, async () => undefined);
  }
  await someTurns();
}

export async function onlyIdentity() {
  const { listConfirmed } = await import("../storage/identities.ts");
  const [identity] = await listConfirmed();
  if (!identity) throw new Error("No server has confirmed this browser");
  return identity;
}
