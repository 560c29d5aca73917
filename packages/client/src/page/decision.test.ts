/** What the visitor has decided last counts: a click on a bell that is off, or turning notifications off. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeBrowser, requests } from "../test/browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";

const click = { vapidKey };
const load = { vapidKey, confirm: false };
const stayOff = true;

let browser: ReturnType<typeof fakeBrowser>;

beforeEach(() => {
  browser = fakeBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page with a token. */
async function pageWithToken() {
  const page = await loadPage();
  await page.getToken(load);
  browser.fetch.mockClear();
  return page;
}

/** Has the next installation of the worker wait; returns what ends the wait. */
function delayWorker(): () => void {
  const waiting = Promise.withResolvers<void>();
  const { register } = browser.serviceWorker;
  const real = register.getMockImplementation();
  if (!real) throw new Error("There is no register");
  register.mockImplementationOnce(async (...given) => {
    await waiting.promise;
    return real(...given);
  });
  return waiting.resolve;
}

/** Holds the lock as another tab would that registers; returns what gives it up. */
function holdLock(): () => void {
  const held = Promise.withResolvers<void>();
  void navigator.locks.request("sineta-registration", () => held.promise);
  return held.resolve;
}

/** Until a page load finds that notifications are off. */
const untilOff = () =>
  vi.waitFor(async () => expect(await (await loadPage()).getToken(load)).toBe(null));

it("turning off is kept before another tab gives up the lock", async () => {
  const page = await pageWithToken();
  const release = holdLock();
  const leaving = page.deleteToken({ stayOff });
  await untilOff();
  release();
  await expect(leaving).resolves.toBe(true);
});

it("a registration that is under way does not undo turning off", async () => {
  const page = await loadPage();
  const answer = Promise.withResolvers<Response>();
  browser.fetch.mockReturnValueOnce(answer.promise);
  const asking = page.getToken(click);
  await vi.waitFor(() => expect(browser.fetch).toHaveBeenCalledOnce());
  const leaving = page.deleteToken({ stayOff });
  const { findIdentity } = await import("../storage/identities.ts");
  const { origin } = new URL(location.href);
  const decided = () => findIdentity(`${origin}/v1/projects/default/registrations`);
  await vi.waitFor(async () => expect((await decided())?.off).toBe(true));
  answer.resolve(Response.json({ token: "token-1" }, { status: 201 }));
  await asking;
  await leaving;
  expect(page.state()).toEqual({ enabled: false, loss: null });
  expect(await browser.pushManager.getSubscription()).toBe(null);
  await expect((await loadPage()).getToken(load)).resolves.toBe(null);
});

it("a click before turning off gets no token if its worker comes after", async () => {
  const page = await loadPage();
  const install = delayWorker();
  const asking = page.getToken(click);
  await vi.waitFor(() => expect(browser.serviceWorker.register).toHaveBeenCalledOnce());
  await page.deleteToken({ stayOff });
  install();
  await expect(asking).resolves.toBe(null);
  expect(requests(browser.fetch)).toEqual([]);
  expect(await browser.pushManager.getSubscription()).toBe(null);
});

it("a click that follows turning off wins, even if both wait for the lock", async () => {
  const page = await pageWithToken();
  const release = holdLock();
  const leaving = page.deleteToken({ stayOff });
  await untilOff();
  const asking = page.getToken(click);
  release();
  await leaving;
  await expect(asking).resolves.toBe("token-1");
  await expect((await loadPage()).getToken(load)).resolves.toBe("token-1");
});

it("a click that fails ends the decision: the next load asks", async () => {
  await (await pageWithToken()).deleteToken({ stayOff });
  browser.fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect((await loadPage()).getToken(click)).rejects.toMatchObject({
    code: "server-unreachable",
  });
  await expect((await loadPage()).getToken(load)).resolves.toBe("token-1");
});

it("a click without permission leaves notifications off", async () => {
  await (await pageWithToken()).deleteToken({ stayOff });
  browser.notification.permission = "denied";
  await expect((await loadPage()).getToken(click)).resolves.toBe(null);
  browser.notification.permission = "granted";
  await expect((await loadPage()).getToken(load)).resolves.toBe(null);
});

it("a load opens no question if notifications are off, and a click does", async () => {
  await (await pageWithToken()).deleteToken({ stayOff });
  browser.notification.permission = "default";
  await expect((await loadPage()).getToken(load)).resolves.toBe(null);
  expect(browser.notification.requestPermission).not.toHaveBeenCalled();
  void (await loadPage()).getToken(click);
  expect(browser.notification.requestPermission).toHaveBeenCalledOnce();
});

it("a load opens the question if the storage cannot tell the decision", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("not here", "SecurityError");
    },
  });
  browser.notification.permission = "default";
  await expect((await loadPage()).getToken(load)).resolves.toBe(null);
  expect(browser.notification.requestPermission).toHaveBeenCalledOnce();
});

it("setUser binds no browser whose notifications are being turned off", async () => {
  const page = await pageWithToken();
  const present = await browser.pushManager.getSubscription();
  if (!present) throw new Error("There is no subscription");
  vi.spyOn(present, "unsubscribe").mockRejectedValueOnce(new DOMException("ended", "AbortError"));
  await expect(page.deleteToken({ stayOff })).rejects.toMatchObject({ code: "subscribe-failed" });
  await expect(page.setUser("a.b.c")).rejects.toMatchObject({ code: "not-registered" });
  expect(requests(browser.fetch)).toEqual([]);
});

it("a load of a project that is off leaves another project's subscription as it is", async () => {
  await (await pageWithToken()).deleteToken({ stayOff });
  const other = await loadPage({ project: "blog" });
  await other.getToken(load);
  const shared = await browser.pushManager.getSubscription();
  browser.fetch.mockClear();
  await loadPage();
  browser.rest();
  await vi.waitFor(async () => {
    await expect((await loadPage()).getToken(load)).resolves.toBe(null);
    expect(await navigator.locks.request("sineta-registration", async () => true)).toBe(true);
  });
  expect(await browser.pushManager.getSubscription()).toBe(shared);
  expect(requests(browser.fetch).filter((one) => one.startsWith("DELETE"))).toEqual([]);
});
