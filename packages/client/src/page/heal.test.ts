import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Healing } from "../loss.ts";
import { requests, sentBody, sentSecret } from "../test/browser.ts";
import {
  hashOf,
  hourMs,
  knownBrowser,
  live,
  looking,
  onlyIdentity,
  otherKey,
  pass,
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
    const { clientSecret, confirmed } = await onlyIdentity();
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
    expect(sentBody(browser.fetch, sent)).toMatchObject({
      vapidKey,
      token: "token-1",
      loss: { cause, confirmedAtMs: confirmed.atMs },
    });
    expect(sentBody(browser.fetch, sent).subscription.endpoint).toBe(present?.endpoint);
    expect(present?.options.applicationServerKey.toString("base64url")).toBe(vapidKey);
    expect(sentSecret(browser.fetch, sent)).toBe(clientSecret);
    expect(browser.serviceWorker.register).toHaveBeenCalledOnce();
    expect(browser.worker.scriptURL).toBe("https://loja.example/sineta-sw.js");
    expect((await onlyIdentity()).lost).toBe(undefined);
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

  it.each([{ confirm: false }, { confirm: true }])(
    "a page that asks for a token (%o) tells which loss it has healed",
    async ({ confirm }) => {
      await browser.replaceSubscription(vapidKey);
      const page = await loadPage();
      await page.getToken({ vapidKey, confirm });
      expect(requests(browser.fetch)).toEqual([registering]);
      expect(sentBody(browser.fetch, 0).loss.cause).toBe("subscription-changed");
      expect(page.state()).toEqual({
        enabled: true,
        loss: { cause: "subscription-changed", healed: true },
      });
    },
  );
});

it("a worker that is still installing is no loss", async () => {
  Object.assign(browser.registration, { active: null });
  const { told } = await browser.loadLater();
  expect(requests(browser.fetch)).toEqual([looking]);
  expect(told).toEqual([]);
});

it("a click tells the server that another script held the scope", async () => {
  browser.worker.scriptURL = "https://loja.example/other.js";
  const page = await loadPage();
  // Without a click the page has its token at once, and the look heals.
  await expect(page.getToken({ vapidKey, confirm: false })).resolves.toBe("token-1");
  expect(requests(browser.fetch)).toEqual([]);
  await page.getToken({ vapidKey });
  expect(sentBody(browser.fetch, 0).loss.cause).toBe("worker-replaced");
});

it("a click asks the server once, and does not look first, a day after the last registration", async () => {
  pass(24 * hourMs);
  await (await loadPage()).getToken({ vapidKey });
  expect(requests(browser.fetch)).toEqual([registering]);
});

it("a browser that cannot tell its subscription fails with a code", async () => {
  browser.pushManager.getSubscription.mockRejectedValue(new DOMException("no", "AbortError"));
  for (const confirm of [false, true]) {
    const asked = (await loadPage()).getToken({ vapidKey, confirm });
    await expect(asked).rejects.toMatchObject({ code: "subscribe-failed" });
  }
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
    pass(hourMs);
    const next = await loadPage();
    await expect(next.getToken({ vapidKey, confirm: false })).resolves.toBe("token-2");
    expect(next.state()).toEqual({ enabled: true, loss: { cause, healed: true } });
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([looking, registering, registering]);
    // By `confirmedAtMs` the server sees that it is the same loss.
    const { loss } = sentBody(browser.fetch, 1);
    expect(sentBody(browser.fetch, 2).loss).toEqual(loss);
    await next.getToken({ vapidKey });
    expect(sentBody(browser.fetch, 3).loss).toBe(undefined);
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

describe("a subscription that its push service has ended", () => {
  const endpoint = async () => (await browser.pushManager.getSubscription())?.endpoint;
  const gone = () => Response.json({ state: "gone" });
  const goneAgain = () => Response.json({ code: "subscription-gone" }, { status: 409 });
  const refusal = { code: "server-refused", problem: "subscription-gone" };

  it("is dropped once a day, though the push service ends each new one", async () => {
    browser.server.toLook = gone;
    const endpoints = new Set([await endpoint()]);
    for (let hour = 1; hour <= 72; hour += 1) {
      await browser.loadLater();
      endpoints.add(await endpoint());
    }
    // The hours 1, 25 and 49.
    expect(endpoints.size).toBe(1 + 3);
  });

  it("is not shown to the server again that day, and the page is told", async () => {
    browser.server.toLook = gone;
    await browser.loadLater();
    const { page, told } = await browser.loadLater();
    expect(told.at(-1)).toMatchObject({ token: null, error: refusal });
    expect(page.state().loss).toEqual({ cause: "subscription-gone", healed: false });
    browser.fetch.mockClear();
    const next = await loadPage();
    await expect(next.getToken({ vapidKey, confirm: false })).rejects.toMatchObject(refusal);
    await expect(next.getToken({ vapidKey })).rejects.toMatchObject(refusal);
    expect(requests(browser.fetch)).toEqual([]);
    expect(await endpoint()).toBe("https://push.example/2");

    pass(23 * hourMs);
    await expect(next.getToken({ vapidKey })).resolves.toBe("token-1");
    expect(await endpoint()).toBe("https://push.example/3");
  });

  it("is dropped once a day where a registration is told so", async () => {
    browser.server.toRegister = vi
      .fn(() => Response.json({ token: "token-1" }))
      .mockImplementationOnce(goneAgain);
    const page = await loadPage();
    await expect(page.getToken({ vapidKey })).resolves.toBe("token-1");
    expect([0, 1].map((place) => sentBody(browser.fetch, place).loss)).toEqual([
      undefined,
      { cause: "subscription-gone", confirmedAtMs: expect.any(Number) },
    ]);
    browser.server.toRegister = goneAgain;
    await expect(page.getToken({ vapidKey })).rejects.toMatchObject(refusal);
    expect(await endpoint()).toBe("https://push.example/2");
    // The next load begins without a token.
    await expect((await loadPage()).getToken({ vapidKey, confirm: false })).rejects.toMatchObject(
      refusal,
    );
  });

  it("is dropped after the clock was put back, and then once a day", async () => {
    browser.server.toLook = gone;
    await browser.loadLater();
    pass(-48 * hourMs);
    await browser.loadLater();
    expect(await endpoint()).toBe("https://push.example/3");
    await browser.loadLater();
    expect(await endpoint()).toBe("https://push.example/3");
  });

  it("is dropped, too, if the server has confirmed the browser under the clock that was put back", async () => {
    browser.server.toLook = gone;
    await browser.loadLater();
    pass(-48 * hourMs);
    await (await loadPage()).getToken({ vapidKey });
    await browser.loadLater();
    expect(await endpoint()).toBe("https://push.example/3");
  });

  it("is dropped once where the server is away in the middle of healing", async () => {
    browser.server.toLook = gone;
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    await browser.loadLater();
    expect(await endpoint()).toBe("https://push.example/2");
    browser.server.toRegister = () => Response.json({ token: "token-1" });
    const { told } = await browser.loadAndRest();
    expect(told.at(-1)).toMatchObject({ cause: "subscription-missing", token: "token-1" });
    expect(sentBody(browser.fetch, 2).subscription.endpoint).toBe("https://push.example/2");
  });
});

describe("a page that asks for a token a day after the last registration", () => {
  const dead = () => Response.json({ state: "gone" });
  const another = () => Response.json({ ...live, endpointHash: hashOf("another") });

  it.each([
    ["subscription-gone", dead],
    ["registration-outdated", another],
  ])("hears of %s before it registers, and shows a new subscription", async (cause, answer) => {
    browser.server.toLook = answer;
    pass(24 * hourMs);
    const { page, told } = await askOnLoad();
    expect(requests(browser.fetch)).toEqual([looking, registering]);
    expect(sentBody(browser.fetch, 1)).toMatchObject({
      token: "token-1",
      subscription: { endpoint: "https://push.example/2" },
    });
    expect(page.state()).toEqual({ enabled: true, loss: { cause, healed: true } });
    expect(told).toEqual([]);
    expect((await onlyIdentity()).lost).toBe(undefined);
  });

  it.each([
    ["that it knows the browser", () => Response.json(live)],
    ["nothing", () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("registers the same subscription if the server says %s", async (_what, answer) => {
    browser.server.toLook = answer;
    pass(24 * hourMs);
    const { page } = await askOnLoad();
    expect(requests(browser.fetch)).toEqual([looking, registering]);
    expect(sentBody(browser.fetch, 1).subscription.endpoint).toBe("https://push.example/1");
    expect(page.state()).toEqual({ enabled: true, loss: null });
  });

  it("keeps the loss until the server confirms the browser again", async () => {
    browser.server.toLook = dead;
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    pass(24 * hourMs);
    const page = await loadPage();
    await expect(page.getToken({ vapidKey, confirm: false })).rejects.toThrow("server-unreachable");
    expect((await onlyIdentity()).lost).toBe("subscription-missing");
  });
});

/** Loads a page that asks for a token by itself, and waits until all is over. */
async function askOnLoad() {
  const page = await loadPage();
  const told: Healing[] = [];
  page.onHealing((healing) => told.push(healing));
  const asked = page.getToken({ vapidKey, confirm: false });
  browser.rest();
  await asked;
  await settled();
  return { page, told };
}

describe("a subscription that the server knows by another endpoint", () => {
  it("is made anew once a day, and kept else", async () => {
    browser.server.toLook = () => Response.json({ ...live, endpointHash: hashOf("another") });
    await browser.loadLater();
    const { told } = await browser.loadLater();
    expect(told.at(-1)).toMatchObject({ token: "token-1" });
    expect((await browser.pushManager.getSubscription())?.endpoint).toBe("https://push.example/2");
    pass(24 * hourMs);
    await browser.loadLater();
    expect((await browser.pushManager.getSubscription())?.endpoint).toBe("https://push.example/3");
  });
});

describe("a browser that has lost its database, and not its subscription", () => {
  beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));

  it("makes its subscription anew before it registers, since the server would refuse it", async () => {
    await (await loadPage()).getToken({ vapidKey });
    expect(requests(browser.fetch)).toEqual([registering]);
    expect(sentBody(browser.fetch, 0).subscription.endpoint).toBe("https://push.example/2");
  });

  it("does so once that day, however often the server is away", async () => {
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    for (let load = 1; load <= 3; load += 1) {
      const asked = (await loadPage()).getToken({ vapidKey });
      await expect(asked).rejects.toThrow("server-unreachable");
    }
    expect(sentBody(browser.fetch, 2).subscription.endpoint).toBe("https://push.example/2");
    // A loss is of a confirmed registration.
    expect(sentBody(browser.fetch, 2).loss).toBe(undefined);
  });
});

it("two tabs at the same time heal once, and both get the token", async () => {
  browser.server.toLook = () => Response.json({ state: "gone" });
  pass(hourMs);
  const told: Healing[] = [];
  for (let tab = 1; tab <= 2; tab += 1) {
    browser.openTab();
    (await loadPage()).onHealing((healing) => told.push(healing));
  }
  browser.rest();
  await settled();
  expect(requests(browser.fetch)).toEqual([looking, registering]);
  expect(browser.pushManager.subscribe).toHaveBeenCalledOnce();
  expect(told.map(({ token }) => token)).toEqual([null, null, "token-1", "token-1"]);
});

describe("a worker of ours at another address", () => {
  const other = "https://loja.example/antes/sineta-push-scope/";

  /** Loads a page that registers, and waits until all is over. */
  async function register() {
    const asked = (await loadPage()).getToken({ vapidKey });
    browser.rest();
    const token = await asked.catch(() => null);
    await settled();
    return token;
  }

  it("is unregistered with its subscription once the server has confirmed the new one", async () => {
    const worker = browser.addWorker(other, "https://push.example/old");
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    await expect(register()).resolves.toBe(null);
    expect(worker.unregister).not.toHaveBeenCalled();
    browser.server.toRegister = () => Response.json({ token: "token-1" });
    await register();
    expect(worker.unregister).toHaveBeenCalledOnce();
  });

  it("is unregistered by healing", async () => {
    const worker = browser.addWorker(other, "https://push.example/old");
    browser.unregister();
    await browser.loadLater();
    expect(worker.unregister).toHaveBeenCalledOnce();
  });

  it("is not what the page uses, even if healing has just failed", async () => {
    const unregister = vi.spyOn(browser.registration, "unregister");
    browser.server.toLook = () => Response.json({ state: "gone" });
    browser.server.toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    await browser.loadLater();
    expect(unregister).not.toHaveBeenCalled();
  });

  it("is unregistered when the visitor leaves", async () => {
    const worker = browser.addWorker(other, "https://push.example/1");
    await (await loadPage()).deleteToken();
    expect(worker.unregister).toHaveBeenCalledOnce();
  });

  it.each([
    ["has no subscription", other, null],
    ["has a subscription that a server has confirmed", other, "https://push.example/1"],
    ["is not ours", "https://loja.example/antes/", "https://push.example/old"],
    [
      "is not ours, though its name ends alike",
      "https://loja.example/antes/my-sineta-push-scope/",
      "https://push.example/old",
    ],
  ])("stays if it %s", async (_which, scope, endpoint) => {
    const worker = browser.addWorker(scope, endpoint);
    const unused = browser.addWorker(other.replace("antes", "ontem"), "https://push.example/old");
    await register();
    expect(worker.unregister).not.toHaveBeenCalled();
    expect(unused.unregister).toHaveBeenCalledOnce();
  });

  it("does not keep the page from its token if the browser does not tell of it", async () => {
    browser.serviceWorker.getRegistrations.mockRejectedValue(new DOMException("no"));
    await expect(register()).resolves.toBe("token-1");
    await expect((await loadPage()).deleteToken()).resolves.toBe(true);
  });
});
