import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressQuestion } from "../shown-address.ts";
import { fakeBrowser, requests, sentBody, sentSecret } from "../test/browser.ts";
import { hourMs, onlyIdentity, otherKey } from "../test/known-browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";

let browser: ReturnType<typeof fakeBrowser>;

/** Takes as many turns of the database as leaving does, and more. */
async function findEverything() {
  const { listConfirmed } = await import("../storage/identities.ts");
  for (let turn = 0; turn < 10; turn += 1) await listConfirmed();
}

beforeEach(() => {
  browser = fakeBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("createMessaging", () => {
  it("is null without a VAPID key, and null on a server", async () => {
    const { createMessaging } = await import("./messaging.ts");
    expect(createMessaging({ vapidKey: "" })).toBe(null);
    vi.stubGlobal("window", undefined);
    expect(createMessaging({ vapidKey })).toBe(null);
  });

  it("gives the same object for the same options", async () => {
    const { createMessaging } = await import("./messaging.ts");
    const messaging = createMessaging({ vapidKey, project: "loja" });
    expect(createMessaging({ vapidKey, project: "loja" })).toBe(messaging);
    expect(createMessaging({ vapidKey, project: "blog" })).not.toBe(messaging);
  });

  it.each([null, ""])("takes the default for an option that is %j", async (nothing) => {
    const { createMessaging } = await import("./messaging.ts");
    const options = { vapidKey, server: nothing, project: nothing, worker: nothing };
    expect(createMessaging(options as never)).toBe(createMessaging({ vapidKey }));
  });

  it("is null on a server that has a window of its own making", async () => {
    const { createMessaging } = await import("./messaging.ts");
    vi.stubGlobal("location", undefined);
    for (const window of [{}, { location: new URL("https://loja.example/") }, { navigator: {} }]) {
      vi.stubGlobal("window", window);
      expect(createMessaging({ vapidKey })).toBe(null);
    }
  });

  it.each<[string, object | null | undefined]>([
    ["a server without a scheme", { server: "avisos.example.com" }],
    ["a server without a scheme, but with a port", { server: "avisos.example.com:8443" }],
    ["a server without a scheme, but with slashes", { server: "//avisos.example.com" }],
    ["a path for a server", { server: "/push" }],
    ["a server of another scheme", { server: "ftp://avisos.example.com" }],
    ["a server that is no text", { server: {} }],
    ["a worker whose address cannot be read", { worker: "https://[" }],
    ["a project that no address can hold", { project: "\ud83d" }],
    [
      "a server of a scheme that only begins as http does",
      { server: "httpss://avisos.example.com" },
    ],
    ["a key that is a number", { vapidKey: 5 }],
    ["a key that is bytes", { vapidKey: new Uint8Array(65) }],
    ["null for options", null],
    ["no options", undefined],
  ])("is null with %s, and throws nothing", async (_what, wrong) => {
    const { createMessaging } = await import("./messaging.ts");
    const options = wrong && { vapidKey, ...wrong };
    expect(createMessaging(options as never)).toBe(null);
  });

  it("is null in a document that may not use service workers, and throws nothing", async () => {
    const { createMessaging } = await import("./messaging.ts");
    Object.defineProperty(navigator, "serviceWorker", {
      get() {
        throw new DOMException("The document is sandboxed.", "SecurityError");
      },
    });
    expect(createMessaging({ vapidKey, project: "sandboxed" })).toBe(null);
  });
});

describe("a page that the worker asks", () => {
  const asked = (data: unknown, port: object) =>
    browser.serviceWorker.dispatchEvent(
      Object.assign(new Event("message"), { data, ports: [port] }),
    );

  it("answers with the address that it shows now", async () => {
    await loadPage();
    vi.stubGlobal("location", new URL("https://loja.example/conta?aba=2#fim"));
    const port = { postMessage: vi.fn() };
    asked(addressQuestion, port);
    expect(port.postMessage.mock.calls).toEqual([["https://loja.example/conta?aba=2#fim"]]);
  });

  it("answers with no address while it is prerendered", async () => {
    await loadPage();
    vi.stubGlobal("document", { readyState: "complete", prerendering: true });
    const port = { postMessage: vi.fn() };
    asked(addressQuestion, port);
    expect(port.postMessage.mock.calls).toEqual([[true]]);
  });

  it("leaves every other message alone", async () => {
    await loadPage();
    const port = { postMessage: vi.fn() };
    for (const message of ["", null, undefined, { type: addressQuestion }]) asked(message, port);
    expect(port.postMessage).not.toHaveBeenCalled();
  });
});

describe("getToken", () => {
  it("installs the worker under its own scope, subscribes with the key, and registers", async () => {
    const messaging = await loadPage({ server: "https://avisos.example" });
    await expect(messaging.getToken({ vapidKey })).resolves.toBe("token-1");
    expect(browser.serviceWorker.register).toHaveBeenCalledExactlyOnceWith(
      "https://loja.example/sineta-sw.js",
      { scope: "https://loja.example/sineta-push-scope/" },
    );
    expect(browser.pushManager.subscribe).toHaveBeenCalledExactlyOnceWith({
      userVisibleOnly: true,
      applicationServerKey: vapidKey,
    });
    expect(browser.fetch.mock.calls[0]?.[0]).toBe(
      "https://avisos.example/v1/projects/default/registrations",
    );
    expect(sentSecret(browser.fetch, 0)).toMatch(/^[\w-]{43}$/);
    expect(sentBody(browser.fetch, 0)).toEqual({
      subscription: {
        endpoint: "https://push.example/1",
        keys: { p256dh: "p256dh-1", auth: "auth-1" },
      },
      vapidKey,
      locale: "pt-BR",
      timeZone: expect.any(String),
    });
  });

  it("has the browser fetch the file of an installed worker anew, without waiting for it", async () => {
    await (await loadPage()).getToken({ vapidKey });
    expect(browser.registration.update).not.toHaveBeenCalled();
    browser.registration.update.mockReturnValue(new Promise(() => undefined));
    await expect((await loadPage()).getToken({ vapidKey })).resolves.toBe("token-1");
    expect(browser.registration.update).toHaveBeenCalledOnce();
  });

  it("waits until the worker is active if another script still holds the scope", async () => {
    const own = Object.assign(new EventTarget(), {
      state: "installing",
      scriptURL: "https://loja.example/sineta-sw.js",
    });
    browser.serviceWorker.register.mockResolvedValue(
      Object.assign(browser.registration, { installing: own }),
    );
    const asked = (await loadPage()).getToken({ vapidKey });
    await findEverything();
    expect(browser.pushManager.subscribe).not.toHaveBeenCalled();
    own.state = "activated";
    own.dispatchEvent(new Event("statechange"));
    await expect(asked).resolves.toBe("token-1");
  });

  it("asks for permission only where it is open", async () => {
    browser.notification.permission = "denied";
    const messaging = await loadPage();
    await expect(messaging.getToken({ vapidKey })).resolves.toBe(null);
    expect(browser.notification.requestPermission).not.toHaveBeenCalled();

    browser.notification.permission = "default";
    await expect(messaging.getToken({ vapidKey })).resolves.toBe(null);
    expect(browser.notification.requestPermission).toHaveBeenCalledOnce();
    expect(browser.serviceWorker.register).not.toHaveBeenCalled();
  });

  it.each(["requestPermission", "subscribe"])(
    "takes NotAllowedError from %s for none",
    async (where) => {
      const refusal = new DOMException("no gesture", "NotAllowedError");
      if (where === "subscribe") browser.pushManager.subscribe.mockRejectedValue(refusal);
      else {
        browser.notification.permission = "default";
        browser.notification.requestPermission.mockRejectedValue(refusal);
      }
      await expect((await loadPage()).getToken({ vapidKey })).resolves.toBe(null);
    },
  );

  it("returns a token confirmed within 24 h without a request, but asks the server on a click", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await (await loadPage()).getToken({ vapidKey });
    vi.setSystemTime(Date.now() + 24 * hourMs - 1);
    const messaging = await loadPage();
    await expect(messaging.getToken({ vapidKey, confirm: false })).resolves.toBe("token-1");
    expect(browser.fetch).toHaveBeenCalledTimes(1);
    await messaging.getToken({ vapidKey });
    expect(browser.fetch).toHaveBeenCalledTimes(2);
    expect(sentBody(browser.fetch, 1)).toMatchObject({ token: "token-1" });
    expect(sentSecret(browser.fetch, 1)).toBe(sentSecret(browser.fetch, 0));
  });

  it("confirms anew after 24 h, or when the clock was set back", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await (await loadPage()).getToken({ vapidKey });
    const confirmedMs = Date.now();
    browser.fetch.mockClear();
    vi.setSystemTime(confirmedMs + 24 * hourMs);
    await (await loadPage()).getToken({ vapidKey, confirm: false });
    vi.setSystemTime(confirmedMs - hourMs);
    await (await loadPage()).getToken({ vapidKey, confirm: false });
    // It looks how the server knows it, then registers.
    const url = "https://loja.example/v1/projects/default/registrations";
    const once = [`POST ${url}/token-1/look`, `POST ${url}`];
    expect(requests(browser.fetch)).toEqual([...once, ...once]);
  });

  it("does not trust a token whose subscription is gone or another", async () => {
    await (await loadPage()).getToken({ vapidKey });
    await (await browser.pushManager.getSubscription())?.unsubscribe();
    await (await loadPage()).getToken({ vapidKey, confirm: false });
    expect(browser.fetch).toHaveBeenCalledTimes(2);
    expect(sentBody(browser.fetch, 1)).toMatchObject({
      token: "token-1",
      subscription: { endpoint: "https://push.example/2" },
    });
  });

  it("tells the server of a subscription that the worker made while the server was down", async () => {
    const messaging = await loadPage();
    await messaging.getToken({ vapidKey });
    await (await browser.pushManager.getSubscription())?.unsubscribe();
    browser.fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    const { subscribeAndRegisterHeld } = await import("../subscription.ts");
    const { registrationsUrl } = await onlyIdentity();
    const renewal = subscribeAndRegisterHeld(
      browser.registration as unknown as ServiceWorkerRegistration,
      registrationsUrl,
      vapidKey,
    );
    await expect(renewal).rejects.toMatchObject({ code: "server-unreachable" });

    const nextPage = await loadPage();
    await expect(nextPage.getToken({ vapidKey, confirm: false })).resolves.toBe("token-1");
    expect(sentBody(browser.fetch, 2)).toMatchObject({
      token: "token-1",
      subscription: { endpoint: "https://push.example/2" },
    });
    expect(sentSecret(browser.fetch, 2)).toBe(sentSecret(browser.fetch, 0));
    expect(browser.pushManager.subscribe).toHaveBeenCalledTimes(3);
    await (await loadPage()).getToken({ vapidKey, confirm: false });
    expect(browser.fetch).toHaveBeenCalledTimes(3);
  });

  it("replaces a subscription that was made with another key, and keeps token and secret", async () => {
    await (await loadPage()).getToken({ vapidKey });
    await (await loadPage()).getToken({ vapidKey: otherKey, confirm: false });
    expect(sentBody(browser.fetch, 1)).toMatchObject({
      token: "token-1",
      vapidKey: otherKey,
      subscription: { endpoint: "https://push.example/2" },
    });
    expect(sentSecret(browser.fetch, 1)).toBe(sentSecret(browser.fetch, 0));
  });

  it("comes back as a new browser where the server refuses the subscription", async () => {
    const messaging = await loadPage();
    const refusal = Response.json({ code: "registration-refused" }, { status: 409 });
    browser.fetch.mockResolvedValueOnce(refusal);
    await expect(messaging.getToken({ vapidKey })).resolves.toBe("token-1");
    expect(sentBody(browser.fetch, 1).subscription.endpoint).toBe("https://push.example/2");
    expect(sentBody(browser.fetch, 1)).not.toHaveProperty("token");
    expect(sentSecret(browser.fetch, 1)).not.toBe(sentSecret(browser.fetch, 0));
  });

  it("comes back as a new browser where the page names the same server by another address", async () => {
    await (await loadPage({ server: "https://old.example" })).getToken({ vapidKey });
    const moved = await loadPage({ server: "https://new.example" });
    const refusal = Response.json({ code: "registration-refused" }, { status: 409 });
    browser.fetch.mockResolvedValueOnce(refusal);
    await expect(moved.getToken({ vapidKey })).resolves.toBe("token-1");
    expect(sentBody(browser.fetch, 1).subscription.endpoint).toBe("https://push.example/1");
    expect(sentBody(browser.fetch, 2).subscription.endpoint).toBe("https://push.example/2");
    expect(sentBody(browser.fetch, 2)).not.toHaveProperty("token");
    expect(sentBody(browser.fetch, 2)).not.toHaveProperty("loss");
  });

  it("drops no second subscription in a day where the server keeps refusing", async () => {
    await (await loadPage({ server: "https://old.example" })).getToken({ vapidKey });
    browser.fetch.mockImplementation(async () =>
      Response.json({ code: "registration-refused" }, { status: 409 }),
    );
    for (const _twice of [1, 2]) {
      const moved = await loadPage({ server: "https://new.example" });
      await expect(moved.getToken({ vapidKey })).rejects.toMatchObject({
        problem: "registration-refused",
      });
    }
    const present = await browser.pushManager.getSubscription();
    expect(present?.endpoint).toBe("https://push.example/2");
  });

  it("subscribes anew where the push service has ended the subscription, and keeps token and secret", async () => {
    await (await loadPage()).getToken({ vapidKey });
    browser.fetch.mockResolvedValueOnce(
      Response.json({ code: "subscription-gone" }, { status: 409 }),
    );
    await expect((await loadPage()).getToken({ vapidKey })).resolves.toBe("token-1");
    expect(sentBody(browser.fetch, 1).subscription.endpoint).toBe("https://push.example/1");
    expect(sentBody(browser.fetch, 2)).toMatchObject({
      token: "token-1",
      subscription: { endpoint: "https://push.example/2" },
    });
    expect(sentSecret(browser.fetch, 2)).toBe(sentSecret(browser.fetch, 0));
  });

  it.each(["registration-refused", "subscription-gone"])(
    "subscribes anew once where the server keeps saying %s",
    async (code) => {
      browser.fetch.mockImplementation(async () => Response.json({ code }, { status: 409 }));
      await expect((await loadPage()).getToken({ vapidKey })).rejects.toMatchObject({
        code: "server-refused",
        problem: code,
      });
      expect(browser.fetch).toHaveBeenCalledTimes(2);
      expect(browser.pushManager.subscribe).toHaveBeenCalledTimes(2);
    },
  );

  it("uses the object's own key if code without types passes no request", async () => {
    const messaging = await loadPage();
    for (const request of [undefined, null, {}]) {
      await expect(messaging.getToken(request as never)).resolves.toBe("token-1");
    }
    await expect(messaging.deleteToken(null as never)).resolves.toBe(true);
  });

  it("does not wait for a worker that is active already", async () => {
    // The browser tells of no change of state any more.
    vi.spyOn(browser.worker, "addEventListener").mockReturnValue();
    await expect((await loadPage()).getToken({ vapidKey })).resolves.toBe("token-1");
  });

  it("keeps no other tab waiting while the worker's file is long in coming", async () => {
    const messaging = await loadPage();
    browser.serviceWorker.register.mockReturnValue(new Promise(() => undefined));
    void messaging.getToken({ vapidKey });
    await expect((await loadPage()).deleteToken()).resolves.toBe(false);
  });

  it("shares what runs: one subscription and one registration for two that ask", async () => {
    const messaging = await loadPage();
    const tokens = await Promise.all([
      messaging.getToken({ vapidKey }),
      messaging.getToken({ vapidKey }),
    ]);
    expect(tokens).toEqual(["token-1", "token-1"]);
    expect(browser.fetch).toHaveBeenCalledOnce();
  });

  it.each([
    ["worker-failed", () => browser.serviceWorker.register.mockRejectedValue(new TypeError("404"))],
    ["worker-failed", () => void (browser.worker.state = "redundant")],
    [
      "subscribe-failed",
      () =>
        browser.pushManager.subscribe.mockRejectedValue(new DOMException("failed", "AbortError")),
    ],
    ["server-unreachable", () => browser.fetch.mockRejectedValue(new TypeError("Failed to fetch"))],
    ["server-unreachable", () => browser.fetch.mockResolvedValue(new Response("<html>"))],
    [
      "server-refused",
      () => browser.fetch.mockResolvedValue(Response.json({ code: "internal" }, { status: 500 })),
    ],
  ])("fails with %s", async (code, breakIt) => {
    breakIt();
    await expect((await loadPage()).getToken({ vapidKey })).rejects.toMatchObject({ code });
  });

  it.each<[string, Response, object]>([
    ["null", Response.json(null), { code: "server-unreachable" }],
    ["no token", Response.json({}), { code: "server-unreachable" }],
    ["a token that is no text", Response.json({ token: 5 }), { code: "server-unreachable" }],
    [
      "a refusal of null",
      Response.json(null, { status: 404 }),
      { code: "server-refused", problem: "HTTP 404" },
    ],
  ])("rejects an answer that is %s, and keeps no token", async (_what, answer, error) => {
    browser.fetch.mockResolvedValue(answer);
    await expect((await loadPage()).getToken({ vapidKey })).rejects.toMatchObject(error);
    const { listConfirmed } = await import("../storage/identities.ts");
    await expect(listConfirmed()).resolves.toEqual([]);
  });

  it.each(["", null])("uses its own worker if serviceWorkerRegistration is %j", async (nothing) => {
    const messaging = await loadPage({ serviceWorkerRegistration: nothing });
    await expect(messaging.getToken({ vapidKey })).resolves.toBe("token-1");
    expect(browser.serviceWorker.register).toHaveBeenCalledOnce();
  });

  describe("the site's own worker as a promise of code without types", () => {
    it("rejects with worker-failed and the cause if it is rejected", async () => {
      const cause = new DOMException("no", "SecurityError");
      const rejected = Promise.reject(cause);
      rejected.catch(() => undefined);
      const messaging = await loadPage({ serviceWorkerRegistration: rejected });
      const failure = { code: "worker-failed", cause };
      await expect(messaging.getToken({ vapidKey })).rejects.toMatchObject(failure);
      await expect(messaging.deleteToken()).rejects.toMatchObject(failure);
    });

    it("holds the lock for 20 s at most if it stays open", async () => {
      const { setTimeout: later } = globalThis;
      vi.stubGlobal("setTimeout", (work: () => void, ms: number) =>
        later(work, ms === 20_000 ? 0 : ms),
      );
      const open = new Promise(() => undefined);
      const waiting = await loadPage({ serviceWorkerRegistration: open });
      const ended = waiting.deleteToken().catch((error: unknown) => error);
      const next = (await loadPage()).deleteToken();
      await expect(ended).resolves.toMatchObject({ code: "worker-failed" });
      await expect(next).resolves.toBe(false);
    });
  });

  it("can be asked again after a failure", async () => {
    const messaging = await loadPage();
    browser.fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    await expect(messaging.getToken({ vapidKey })).rejects.toMatchObject({
      code: "server-unreachable",
    });
    await expect(messaging.getToken({ vapidKey })).resolves.toBe("token-1");
  });

  it("runs its clock from the permission on, not while the question is open", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const question = Promise.withResolvers<NotificationPermission>();
    browser.notification.permission = "default";
    browser.notification.requestPermission.mockReturnValue(question.promise);
    browser.pushManager.subscribe.mockReturnValue(new Promise(() => undefined));
    const messaging = await loadPage();
    let outcome: unknown = "open";
    messaging.getToken({ vapidKey }).catch((error: unknown) => (outcome = error));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(outcome).toBe("open");
    question.resolve("granted");
    await findEverything();
    expect(browser.pushManager.subscribe).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(outcome).toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ code: "token-timeout" });
  });
});

describe("forget", () => {
  it("has the server forget, unsubscribes, and forgets the secret", async () => {
    const messaging = await loadPage();
    await expect(messaging.forget()).rejects.toMatchObject({ code: "not-registered" });
    await messaging.getToken({ vapidKey });
    await messaging.forget();
    expect(await browser.pushManager.getSubscription()).toBe(null);
    expect(browser.fetch.mock.calls[1]).toMatchObject([
      "https://loja.example/v1/projects/default/registrations/token-1/forget",
      { method: "POST" },
    ]);
    expect(sentSecret(browser.fetch, 1)).toBe(sentSecret(browser.fetch, 0));
    await messaging.getToken({ vapidKey });
    expect(sentSecret(browser.fetch, 2)).not.toBe(sentSecret(browser.fetch, 0));
  });

  it("rejects where the server cannot be told, and the token stays", async () => {
    const messaging = await loadPage();
    await messaging.getToken({ vapidKey });
    browser.fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    await expect(messaging.forget()).rejects.toMatchObject({ code: "server-unreachable" });
    expect(await browser.pushManager.getSubscription()).not.toBe(null);
    await expect(messaging.deleteToken()).resolves.toBe(true);
  });
});

describe("deleteToken", () => {
  it("unsubscribes, tells the server, and forgets the secret", async () => {
    const messaging = await loadPage();
    await messaging.getToken({ vapidKey });
    await expect(messaging.deleteToken()).resolves.toBe(true);
    expect(await browser.pushManager.getSubscription()).toBe(null);
    expect(browser.fetch.mock.calls[1]).toMatchObject([
      "https://loja.example/v1/projects/default/registrations/token-1",
      { method: "DELETE" },
    ]);
    expect(sentSecret(browser.fetch, 1)).toBe(sentSecret(browser.fetch, 0));
    await messaging.getToken({ vapidKey });
    expect(sentSecret(browser.fetch, 2)).not.toBe(sentSecret(browser.fetch, 0));
  });

  it("leaves the subscription of the site's own worker alone", async () => {
    const messaging = await loadPage();
    await messaging.getToken({ vapidKey });
    // The browser gives the worker of a wider scope where ours is missing.
    browser.registration.scope = "https://loja.example/";
    await expect(messaging.deleteToken()).resolves.toBe(true);
    expect(await browser.pushManager.getSubscription()).not.toBe(null);
  });

  it("waits for a request under way, which would bring the token back", async () => {
    const messaging = await loadPage();
    const answer = Promise.withResolvers<Response>();
    const called = Promise.withResolvers<void>();
    browser.fetch.mockImplementationOnce(() => {
      called.resolve();
      return answer.promise;
    });
    const asked = messaging.getToken({ vapidKey });
    await called.promise;
    const left = messaging.deleteToken();
    // Long enough for leaving to be over, if it did not wait.
    await findEverything();
    answer.resolve(Response.json({ token: "token-1" }, { status: 201 }));
    await expect(asked).resolves.toBe("token-1");
    await expect(left).resolves.toBe(true);
    await expect(messaging.deleteToken()).resolves.toBe(false);
  });

  it("leaves also when the server cannot be reached, and says when there was nothing", async () => {
    const messaging = await loadPage();
    await expect(messaging.deleteToken()).resolves.toBe(false);
    await messaging.getToken({ vapidKey });
    browser.fetch.mockRejectedValue(new TypeError("Failed to fetch"));
    await expect(messaging.deleteToken()).resolves.toBe(true);
    await expect(messaging.deleteToken()).resolves.toBe(false);
  });
});
