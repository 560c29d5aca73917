import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requests, sentBody, sentSecret } from "../test/browser.ts";
import {
  hashOf,
  knownBrowser,
  live,
  looking,
  onlyIdentity,
  otherKey,
  registering,
  settled,
} from "../test/known-browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";

let browser: Awaited<ReturnType<typeof knownBrowser>>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "log");
  vi.spyOn(console, "warn");
  browser = await knownBrowser();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const linesWritten = () => [
  ...vi.mocked(console.log).mock.calls,
  ...vi.mocked(console.warn).mock.calls,
];

describe("a loss is healed in the same page load:", () => {
  const serverSays = (answer: object) => () =>
    void (browser.server.toLook = () => Response.json(answer));
  const losses: [cause: string, how: string, lose: () => unknown, looks: string[]][] = [
    ["subscription-gone", "says the server", serverSays({ state: "gone" }), [looking]],
    ["registration-unknown", "says the server", serverSays({ state: "unknown" }), [looking]],
    [
      "registration-outdated",
      "says the server by the endpoint",
      serverSays({ ...live, endpointHash: hashOf("another") }),
      [looking],
    ],
    [
      "registration-outdated",
      "says the server by the key",
      serverSays({ ...live, vapidKey: otherKey }),
      [looking],
    ],
    [
      "worker-replaced",
      "by another script",
      () => (browser.worker.scriptURL = "https://loja.example/other.js"),
      [],
    ],
    ["worker-missing", "once unregistered", () => browser.unregister(), []],
    [
      "subscription-missing",
      "once dropped",
      async () => (await browser.pushManager.getSubscription())?.unsubscribe(),
      [],
    ],
    ["subscription-changed", "with the same key", () => browser.replaceSubscription(vapidKey), []],
    ["subscription-changed", "with another key", () => browser.replaceSubscription(otherKey), []],
  ];

  it.each(losses)("%s, %s", async (cause, _how, lose, looks) => {
    const { clientSecret } = await onlyIdentity();
    await lose();
    const { page, told } = await browser.loadLater();
    expect(requests(browser.fetch)).toEqual([...looks, registering]);
    expect(told).toEqual([
      { cause, token: null, error: null },
      { cause, token: "token-1", error: null },
    ]);
    expect(page.state()).toEqual({ enabled: true, loss: { cause, healed: true } });
    const sent = browser.fetch.mock.calls.length - 1;
    const present = await browser.pushManager.getSubscription();
    expect(sentBody(browser.fetch, sent)).toMatchObject({ vapidKey, token: "token-1" });
    expect(sentBody(browser.fetch, sent).subscription.endpoint).toBe(present?.endpoint);
    expect(present?.options.applicationServerKey.toString("base64url")).toBe(vapidKey);
    expect(sentSecret(browser.fetch, sent)).toBe(clientSecret);
    expect(browser.serviceWorker.register).toHaveBeenCalledOnce();
    expect(browser.worker.scriptURL).toBe("https://loja.example/sineta-sw.js");
    expect(await onlyIdentity()).not.toHaveProperty("lost");
    expect(linesWritten()).toEqual([]);
  });

  it("a gone subscription is dropped before the server is asked", async () => {
    browser.server.toLook = () => Response.json({ state: "gone" });
    await browser.loadLater();
    expect(sentBody(browser.fetch, 1).subscription.endpoint).toBe("https://push.example/2");
  });

  it("key-changed, by the page", async () => {
    const { told } = await browser.loadLater({ vapidKey: otherKey });
    expect(told.map(({ cause, token }) => [cause, token])).toEqual([
      ["key-changed", null],
      ["key-changed", "token-1"],
    ]);
    expect(sentBody(browser.fetch, 0)).toMatchObject({ vapidKey: otherKey, token: "token-1" });
  });

  it("a page that asks for a token tells which loss it has healed", async () => {
    await browser.replaceSubscription(vapidKey);
    const page = await loadPage();
    await page.getToken({ vapidKey, confirm: false });
    expect(requests(browser.fetch)).toEqual([registering]);
    expect(page.state()).toEqual({
      enabled: true,
      loss: { cause: "subscription-changed", healed: true },
    });
  });
});

describe("healing that fails", () => {
  it("is told, and the next page load registers and heals", async () => {
    browser.server.toLook = () => Response.json({ state: "unknown" });
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    const { page, told } = await browser.loadLater();
    const cause = "registration-unknown";
    expect(told).toMatchObject([
      { cause, token: null, error: null },
      { cause, token: null, error: { code: "server-unreachable" } },
    ]);
    expect(page.state()).toEqual({ enabled: false, loss: { cause, healed: false } });
    expect(linesWritten()).toEqual([]);

    browser.server.toRegister = () => Response.json({ token: "token-2" });
    const next = await loadPage();
    await expect(next.getToken({ vapidKey, confirm: false })).resolves.toBe("token-2");
    expect(next.state()).toEqual({ enabled: true, loss: { cause, healed: true } });
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([looking, registering, registering]);
  });

  it("is tried again in the next load of a page that does not ask for a token", async () => {
    browser.server.toLook = () => Response.json({ state: "unknown" });
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    await browser.loadLater();
    browser.server.toRegister = () => Response.json({ token: "token-1" });
    const { told } = await browser.loadAndRest();
    expect(told.at(-1)).toMatchObject({ cause: "registration-unknown", token: "token-1" });
    expect(requests(browser.fetch)).toEqual([looking, registering, registering]);
  });

  it("because permission is missing is not told as a failure", async () => {
    browser.server.toLook = () => Response.json({ state: "gone" });
    browser.pushManager.subscribe.mockRejectedValue(new DOMException("no", "NotAllowedError"));
    const { told } = await browser.loadLater();
    expect(told).toEqual([{ cause: "subscription-gone", token: null, error: null }]);
  });
});
