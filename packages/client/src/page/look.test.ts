import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Healing } from "../loss.ts";
import { requests } from "../test/browser.ts";
import {
  hourMs,
  knownBrowser,
  looking,
  onlyIdentity,
  pass,
  registering,
  settled,
  someTurns,
} from "../test/known-browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";

let browser: Awaited<ReturnType<typeof knownBrowser>>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  browser = await knownBrowser();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a look is due", () => {
  it("in a tab's first load, an hour after the last look", async () => {
    browser.openTab();
    pass(hourMs - 1);
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([]);
    browser.openTab();
    pass(1);
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
    // A look of one tab counts for the next.
    browser.openTab();
    pass(hourMs - 1);
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it.each([
    ["in any other load", () => undefined],
    [
      "where the browser keeps nothing for a tab",
      () => void vi.stubGlobal("sessionStorage", undefined),
    ],
  ])("%s, a day after the last look", async (_where, prepare) => {
    prepare();
    pass(24 * hourMs - 1);
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([]);
    pass(1);
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it("at once when the clock was put back", async () => {
    pass(-24 * hourMs);
    await browser.loadAndRest();
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
    pass(-1);
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking, looking]);
  });

  it("once the page is loaded and the browser rests", async () => {
    pass(hourMs);
    browser.openTab();
    vi.stubGlobal("document", { readyState: "interactive" });
    const page = new EventTarget();
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    await loadPage();
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([]);
    page.dispatchEvent(new Event("load"));
    await settled();
    expect(requests(browser.fetch)).toEqual([]);
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it("not after a registration, which counts as a look", async () => {
    pass(hourMs);
    browser.openTab();
    const answer = Promise.withResolvers<Response>();
    browser.server.toRegister = () => answer.promise;
    const asked = (await loadPage()).getToken({ vapidKey });
    browser.rest();
    await someTurns();
    answer.resolve(Response.json({ token: "token-1" }));
    await asked;
    await settled();
    expect(requests(browser.fetch)).toEqual([registering]);
  });

  it("not within an hour of a registration that came after the last look", async () => {
    await browser.loadLater();
    pass(hourMs / 2);
    await (await loadPage()).getToken({ vapidKey });
    pass(hourMs / 2);
    browser.openTab();
    await browser.loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking, registering]);
  });

  it("not after a registration that failed", async () => {
    pass(hourMs);
    browser.openTab();
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    await expect((await loadPage()).getToken({ vapidKey })).rejects.toThrow("server-unreachable");
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([registering]);
  });

  it("not where permission is missing, and not where no server has confirmed the browser", async () => {
    browser.notification.permission = "denied";
    await browser.loadLater();
    browser.notification.permission = "granted";
    await browser.loadLater({ project: "blog" });
    expect(requests(browser.fetch)).toEqual([]);
  });

  it("once for two tabs at the same time", async () => {
    pass(hourMs);
    browser.openTab();
    await loadPage();
    browser.openTab();
    await loadPage();
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([looking]);
  });
});

describe("a look", () => {
  it("shows the client secret as text, which needs no preflight", async () => {
    const { clientSecret } = await onlyIdentity();
    await browser.loadLater();
    const [, request] = browser.fetch.mock.calls[0] ?? [];
    expect(request).toMatchObject({ method: "POST", body: clientSecret, priority: "low" });
    expect(request).not.toHaveProperty("headers");
  });

  it("ends after 5 s without an answer, and changes nothing", async () => {
    const waiting = vi.spyOn(globalThis, "setTimeout");
    browser.fetch.mockImplementationOnce(async (_url, { signal }) => {
      const [end] = waiting.mock.calls.find(([, ms]) => ms === 5_000) ?? [];
      end?.();
      signal?.throwIfAborted();
      return Response.json({ state: "gone" });
    });
    const before = await onlyIdentity();
    const { told } = await browser.loadLater();
    expect(told).toEqual([]);
    expect(await onlyIdentity()).toEqual(before);
  });

  it("finds nothing lost where the server knows key and endpoint", async () => {
    const { page, told } = await browser.loadLater();
    expect(told).toEqual([]);
    expect(page.state()).toEqual({ enabled: false, loss: null });
    await page.getToken({ vapidKey, confirm: false });
    expect(page.state()).toEqual({ enabled: true, loss: null });
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it.each([
    ["nothing", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["an error", () => Response.json({ state: "gone" }, { status: 500 })],
    ["to come later", () => Response.json({ code: "too-many-requests" }, { status: 429 })],
    ["a page", () => new Response("<html>")],
    ["something else", () => Response.json({ state: "well" })],
    ["no object", () => Response.json(null)],
  ])("changes nothing where the server says %s", async (_what, answer) => {
    browser.server.toLook = answer;
    const before = await onlyIdentity();
    const { page, told } = await browser.loadLater();
    expect(told).toEqual([]);
    expect(await onlyIdentity()).toEqual(before);
    await expect(page.getToken({ vapidKey, confirm: false })).resolves.toBe("token-1");
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it("has the browser fetch the worker's file anew, and goes on if that fails", async () => {
    browser.registration.update.mockRejectedValue(new TypeError("404"));
    const { told } = await browser.loadLater();
    expect(browser.registration.update).toHaveBeenCalledOnce();
    expect(told).toEqual([]);
  });

  it("takes no fragment of the worker's address for another script", async () => {
    const { told } = await browser.loadLater({ worker: "/sineta-sw.js#1" });
    expect(told).toEqual([]);
  });

  it("leaves the site's own worker alone", async () => {
    const serviceWorkerRegistration = browser.registration;
    const own = "https://loja.example/own-worker.js";
    browser.worker.scriptURL = own;
    const { told } = await browser.loadLater({ serviceWorkerRegistration });
    expect(browser.registration.update).not.toHaveBeenCalled();
    expect(requests(browser.fetch)).toEqual([looking]);
    expect(told).toEqual([]);
  });
});

describe("while a look is under way", () => {
  /** A page that has looked, and waits for the answer. */
  async function lookUnderWay() {
    const answer = Promise.withResolvers<Response>();
    const asked = Promise.withResolvers<void>();
    browser.server.toLook = () => {
      asked.resolve();
      return answer.promise;
    };
    pass(hourMs);
    browser.openTab();
    const page = await loadPage();
    const told: Healing[] = [];
    page.onHealing((healing) => told.push(healing));
    browser.rest();
    await asked.promise;
    return { page, told, answer };
  }

  it("a click does not wait, and its registration stands", async () => {
    const { page, told, answer } = await lookUnderWay();
    await expect(page.getToken({ vapidKey })).resolves.toBe("token-1");
    pass(1);
    await page.getToken({ vapidKey });
    answer.resolve(Response.json({ state: "gone" }));
    await settled();
    expect(told).toEqual([]);
    expect(requests(browser.fetch)).toEqual([looking, registering, registering]);
    expect(browser.pushManager.subscribe).toHaveBeenCalledTimes(2);
    expect((await onlyIdentity()).lost).toBe(undefined);
  });

  it("a visitor who leaves is not registered again", async () => {
    const { page, told, answer } = await lookUnderWay();
    await page.deleteToken();
    answer.resolve(Response.json({ state: "gone" }));
    await settled();
    expect(told).toEqual([]);
    expect(await browser.pushManager.getSubscription()).toBe(null);
    expect(page.state()).toEqual({ enabled: false, loss: null });
  });

  it.each([
    ["a visitor who leaves", "deleteToken", []],
    ["a click", "getToken", [registering]],
  ] as const)("%s before the healing begins keeps it from registering", async (_who, act, sent) => {
    const { page, told, answer } = await lookUnderWay();
    const other = Promise.withResolvers<void>();
    void navigator.locks.request("sineta-registration", () => other.promise);
    const acting = act === "getToken" ? page.getToken({ vapidKey }) : page.deleteToken();
    await someTurns();
    answer.resolve(Response.json({ state: "gone" }));
    await someTurns();
    expect(told).toHaveLength(1);
    other.resolve();
    await acting;
    await settled();
    const registered = requests(browser.fetch).filter((one) => one === registering);
    expect(registered).toEqual(sent);
    expect(told).toHaveLength(1 + sent.length);
  });
});
