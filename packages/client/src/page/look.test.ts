import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LookResponse } from "@sineta/protocol";
import type { Healing } from "../loss.ts";
import { fakeBrowser, requests, sentBody, sentSecret } from "../test/browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";

const otherKey = `B${"Q".repeat(85)}A`;
const hourMs = 60 * 60 * 1000;
const registrationsUrl = "https://loja.example/v1/projects/default/registrations";
const registering = `POST ${registrationsUrl}`;
const looking = `POST ${registrationsUrl}/token-1/look`;
const hashOf = (endpoint: string) =>
  createHash("sha256").update(endpoint).digest("base64url").slice(0, 12);
const live: LookResponse = {
  state: "live",
  vapidKey,
  endpointHash: hashOf("https://push.example/1"),
};

let browser: ReturnType<typeof fakeBrowser>;
/** The server's answer to a look, and to a registration. */
let toLook: () => Response | Promise<Response>;
let toRegister: () => Response | Promise<Response>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  browser = fakeBrowser();
  toLook = () => Response.json(live);
  toRegister = () => Response.json({ token: "token-1" });
  browser.fetch.mockImplementation(async (url) =>
    String(url).endsWith("/look") ? toLook() : toRegister(),
  );
  vi.spyOn(console, "log");
  vi.spyOn(console, "warn");
  await (await loadPage()).getToken({ vapidKey });
  browser.rest();
  browser.fetch.mockClear();
  browser.pushManager.subscribe.mockClear();
  browser.serviceWorker.register.mockClear();
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
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Takes more turns of the database than there are between two waits for a lock. */
async function someTurns() {
  const { listConfirmed } = await import("../storage/identities.ts");
  for (let turn = 0; turn < 20; turn += 1) await listConfirmed();
}

/** Waits until looks and healings are over. */
async function settled() {
  for (const name of ["sineta-look", "sineta-registration"]) {
    await someTurns();
    await navigator.locks.request(name, async () => undefined);
  }
  await someTurns();
}

/** Loads a page, and waits until its look and healing are over. */
async function loadAndRest(options = {}) {
  const page = await loadPage(options);
  const told: Healing[] = [];
  page.onHealing((healing) => told.push(healing));
  browser.rest();
  await settled();
  return { page, told };
}

/** Does the same in a new tab, an hour later. */
function loadLater(options = {}) {
  pass(hourMs);
  browser.openTab();
  return loadAndRest(options);
}

describe("a look is due", () => {
  it("in a tab's first load, an hour after the last look", async () => {
    browser.openTab();
    pass(hourMs - 1);
    await loadAndRest();
    expect(requests(browser.fetch)).toEqual([]);
    browser.openTab();
    pass(1);
    await loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
    // A look of one tab counts for the next.
    browser.openTab();
    pass(hourMs - 1);
    await loadAndRest();
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
    await loadAndRest();
    expect(requests(browser.fetch)).toEqual([]);
    pass(1);
    await loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it("at once when the clock was put back", async () => {
    pass(-24 * hourMs);
    await loadAndRest();
    await loadAndRest();
    expect(requests(browser.fetch)).toEqual([looking]);
    pass(-1);
    await loadAndRest();
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

  it("not in a load that has registered", async () => {
    pass(hourMs);
    browser.openTab();
    const page = await loadPage();
    await page.getToken({ vapidKey });
    pass(hourMs);
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([registering]);
  });

  it("not where permission is missing, and not where no server has confirmed the browser", async () => {
    browser.notification.permission = "denied";
    await loadLater();
    browser.notification.permission = "granted";
    await loadLater({ project: "blog" });
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
    await loadLater();
    const [, request] = browser.fetch.mock.calls[0] ?? [];
    expect(request).toMatchObject({ method: "POST", body: clientSecret, priority: "low" });
    expect(request).not.toHaveProperty("headers");
  });

  it("ends after 20 s without an answer, and changes nothing", async () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
    browser.fetch.mockImplementationOnce(async (_url, { signal }) => {
      clock.abort();
      signal?.throwIfAborted();
      return Response.json({ state: "gone" });
    });
    const before = await onlyIdentity();
    const { told } = await loadLater();
    expect(timeout).toHaveBeenCalledExactlyOnceWith(20_000);
    expect(told).toEqual([]);
    expect(await onlyIdentity()).toEqual(before);
  });

  it("finds nothing lost where the server knows key and endpoint", async () => {
    const { page, told } = await loadLater();
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
    toLook = answer;
    const before = await onlyIdentity();
    const { page, told } = await loadLater();
    expect(told).toEqual([]);
    expect(await onlyIdentity()).toEqual(before);
    await expect(page.getToken({ vapidKey, confirm: false })).resolves.toBe("token-1");
    expect(requests(browser.fetch)).toEqual([looking]);
  });

  it("has the browser fetch the worker's file anew, and goes on if that fails", async () => {
    browser.registration.update.mockRejectedValue(new TypeError("404"));
    const { told } = await loadLater();
    expect(browser.registration.update).toHaveBeenCalledOnce();
    expect(told).toEqual([]);
  });

  it("takes no fragment of the worker's address for another script", async () => {
    const { told } = await loadLater({ worker: "/sineta-sw.js#1" });
    expect(told).toEqual([]);
  });

  it("leaves the site's own worker alone", async () => {
    const serviceWorkerRegistration = browser.registration;
    const own = "https://loja.example/own-worker.js";
    browser.worker.scriptURL = own;
    const { told } = await loadLater({ serviceWorkerRegistration });
    expect(browser.registration.update).not.toHaveBeenCalled();
    expect(requests(browser.fetch)).toEqual([looking]);
    expect(told).toEqual([]);
  });
});

describe("a loss is healed in the same page load:", () => {
  const serverSays = (answer: object) => () => void (toLook = () => Response.json(answer));
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
    ["subscription-changed", "with the same key", () => replaceSubscription(vapidKey), []],
    ["subscription-changed", "with another key", () => replaceSubscription(otherKey), []],
  ];

  it.each(losses)("%s, %s", async (cause, _how, lose, looks) => {
    const { clientSecret } = await onlyIdentity();
    await lose();
    const { page, told } = await loadLater();
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
    toLook = () => Response.json({ state: "gone" });
    await loadLater();
    expect(sentBody(browser.fetch, 1).subscription.endpoint).toBe("https://push.example/2");
  });

  it("key-changed, by the page", async () => {
    const { told } = await loadLater({ vapidKey: otherKey });
    expect(told.map(({ cause, token }) => [cause, token])).toEqual([
      ["key-changed", null],
      ["key-changed", "token-1"],
    ]);
    expect(sentBody(browser.fetch, 0)).toMatchObject({ vapidKey: otherKey, token: "token-1" });
  });

  it("a page that asks for a token tells which loss it has healed", async () => {
    await replaceSubscription(vapidKey);
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
    toLook = () => Response.json({ state: "unknown" });
    toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    const { page, told } = await loadLater();
    const cause = "registration-unknown";
    expect(told).toMatchObject([
      { cause, token: null, error: null },
      { cause, token: null, error: { code: "server-unreachable" } },
    ]);
    expect(page.state()).toEqual({ enabled: false, loss: { cause, healed: false } });
    expect(linesWritten()).toEqual([]);

    toRegister = () => Response.json({ token: "token-2" });
    const next = await loadPage();
    await expect(next.getToken({ vapidKey, confirm: false })).resolves.toBe("token-2");
    expect(next.state()).toEqual({ enabled: true, loss: { cause, healed: true } });
    browser.rest();
    await settled();
    expect(requests(browser.fetch)).toEqual([looking, registering, registering]);
  });

  it("is tried again in the next load of a page that does not ask for a token", async () => {
    toLook = () => Response.json({ state: "unknown" });
    toRegister = () => Promise.reject(new TypeError("Failed to fetch"));
    await loadLater();
    toRegister = () => Response.json({ token: "token-1" });
    const { told } = await loadAndRest();
    expect(told.at(-1)).toMatchObject({ cause: "registration-unknown", token: "token-1" });
    expect(requests(browser.fetch)).toEqual([looking, registering, registering]);
  });

  it("because permission is missing is not told as a failure", async () => {
    toLook = () => Response.json({ state: "gone" });
    browser.pushManager.subscribe.mockRejectedValue(new DOMException("no", "NotAllowedError"));
    const { told } = await loadLater();
    expect(told).toEqual([{ cause: "subscription-gone", token: null, error: null }]);
  });
});

describe("while a look is under way", () => {
  /** A page that has looked, and waits for the answer. */
  async function lookUnderWay() {
    const answer = Promise.withResolvers<Response>();
    const asked = Promise.withResolvers<void>();
    toLook = () => {
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
    expect(await onlyIdentity()).not.toHaveProperty("lost");
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

async function onlyIdentity() {
  const { listConfirmed } = await import("../storage/identities.ts");
  const [identity] = await listConfirmed();
  if (!identity) throw new Error("No server has confirmed this browser");
  return identity;
}

/** Another script of the page's subscribes anew, with that key. */
async function replaceSubscription(applicationServerKey: string) {
  await (await browser.pushManager.getSubscription())?.unsubscribe();
  await browser.pushManager.subscribe({ applicationServerKey });
}
