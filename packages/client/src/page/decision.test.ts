/** What the visitor has decided last counts: a click on a bell that is off, or turning notifications off. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeBrowser, requests, sentBody } from "../test/browser.ts";
import { otherKey } from "../test/known-browser.ts";
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

const isSubscribed = async () => (await browser.pushManager.getSubscription()) !== null;

/** Turns off, but the browser cannot end the subscription: so the page may as well have ended in the middle. */
async function failToTurnOff(page: Awaited<ReturnType<typeof loadPage>>) {
  const present = await browser.pushManager.getSubscription();
  if (!present) throw new Error("There is no subscription");
  vi.spyOn(present, "unsubscribe").mockRejectedValueOnce(new DOMException("ended", "AbortError"));
  await expect(page.deleteToken({ stayOff })).rejects.toMatchObject({ code: "subscribe-failed" });
  expect(requests(browser.fetch)).toEqual([]);
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

async function kept() {
  const { findIdentity } = await import("../storage/identities.ts");
  return findIdentity("https://loja.example/v1/projects/default/registrations");
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

/** Has the server answer the next request when the test says so. */
function delayAnswer(): () => void {
  const answer = Promise.withResolvers<Response>();
  browser.fetch.mockReturnValueOnce(answer.promise);
  return () => answer.resolve(Response.json({ token: "token-1" }, { status: 201 }));
}

it("a registration that is under way does not undo turning off", async () => {
  const page = await loadPage();
  const answer = delayAnswer();
  const asking = page.getToken(click);
  await vi.waitFor(() => expect(browser.fetch).toHaveBeenCalledOnce());
  const leaving = page.deleteToken({ stayOff });
  await untilOff();
  answer();
  await asking;
  await leaving;
  expect(page.state()).toEqual({ enabled: false, loss: null });
  expect(await isSubscribed()).toBe(false);
  await expect((await loadPage()).getToken(load)).resolves.toBe(null);
});

it("a second click wins over another tab that turned off between the two", async () => {
  const page = await loadPage();
  const answer = delayAnswer();
  const first = page.getToken(click);
  await vi.waitFor(() => expect(browser.fetch).toHaveBeenCalledOnce());
  const leaving = (await loadPage()).deleteToken({ stayOff });
  await untilOff();
  const second = page.getToken(click);
  await vi.waitFor(async () => expect((await kept())?.off).toBe(false));
  answer();
  await expect(Promise.all([first, second, leaving])).resolves.toEqual([
    "token-1",
    "token-1",
    false,
  ]);
  expect(await isSubscribed()).toBe(true);
  expect(requests(browser.fetch)).toHaveLength(1);
});

it.each([
  ["a click", click],
  ["a load", load],
])("%s before turning off gets no token if its worker comes after", async (_what, request) => {
  const install = delayWorker();
  const asking = (await loadPage()).getToken(request);
  await vi.waitFor(() => expect(browser.serviceWorker.register).toHaveBeenCalledOnce());
  await (await loadPage()).deleteToken({ stayOff });
  install();
  await expect(asking).resolves.toBe(null);
  expect(requests(browser.fetch)).toEqual([]);
  expect(await isSubscribed()).toBe(false);
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

it("setUser rejects while the browser is turning notifications off", async () => {
  const page = await pageWithToken();
  await failToTurnOff(page);
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

describe("deleteToken with stayOff", () => {
  it("ends as deleteToken does, and no later load gets a token or asks the server", async () => {
    const page = await pageWithToken();
    await expect(page.deleteToken({ stayOff })).resolves.toBe(true);
    expect(requests(browser.fetch).at(-1)).toMatch(/^DELETE /);
    const calls = browser.fetch.mock.calls.length;
    const registered = browser.serviceWorker.register.mock.calls.length;
    for (const _twice of [1, 2]) {
      const next = await loadPage();
      await expect(next.getToken(load)).resolves.toBe(null);
      expect(next.state()).toEqual({ enabled: false, loss: null });
    }
    expect(browser.fetch).toHaveBeenCalledTimes(calls);
    expect(browser.serviceWorker.register).toHaveBeenCalledTimes(registered);
    expect(await isSubscribed()).toBe(false);
  });

  it("ends with a click: it comes as a new browser, and later loads get its token", async () => {
    await (await pageWithToken()).deleteToken({ stayOff });
    browser.fetch.mockClear();
    await expect((await loadPage()).getToken(click)).resolves.toBe("token-1");
    expect(sentBody(browser.fetch, 0)).not.toHaveProperty("token");
    await expect((await loadPage()).getToken(load)).resolves.toBe("token-1");
    expect(browser.fetch).toHaveBeenCalledOnce();
  });

  it("holds with a newer VAPID key, and not for another project", async () => {
    await (await pageWithToken()).deleteToken({ stayOff });
    const newer = await loadPage({ vapidKey: otherKey });
    await expect(newer.getToken({ vapidKey: otherKey, confirm: false })).resolves.toBe(null);
    const other = await loadPage({ project: "blog" });
    await expect(other.getToken(load)).resolves.toBe("token-1");
  });

  it("holds also where there was no token, and where the page later deletes without it", async () => {
    const page = await loadPage();
    await expect(page.deleteToken({ stayOff })).resolves.toBe(false);
    await expect((await loadPage()).deleteToken()).resolves.toBe(false);
    await expect((await loadPage()).getToken(load)).resolves.toBe(null);
  });

  it("is completed by the next load if the page ends in the middle", async () => {
    const page = await pageWithToken();
    await failToTurnOff(page);
    // The page asks for no token.
    await loadPage();
    browser.rest();
    await vi.waitFor(async () => expect(await isSubscribed()).toBe(false));
    await vi.waitFor(() =>
      expect(requests(browser.fetch)).toEqual([expect.stringMatching(/^DELETE .*token-1$/)]),
    );
  });
});
