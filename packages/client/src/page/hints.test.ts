import { format } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MessagingError } from "../errors.ts";
import { fakeBrowser } from "../test/browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";
import type { MessagingOptions } from "./options.ts";

const server = "https://avisos.example";
const patience = { timeout: 30_000, interval: 20 };
let browser: ReturnType<typeof fakeBrowser>;

/** Code without types may pass anything. */
const unreadable = {
  toString() {
    throw new Error("no text");
  },
};

const warnings = () => vi.mocked(console.warn).mock.calls.map(([sentence]) => String(sentence));

/** Resolves once the file with the sentences, if it was asked for, has been loaded and has spoken. */
async function hintsSpoken() {
  await vi.dynamicImportSettled();
}

beforeEach(() => {
  browser = fakeBrowser();
  vi.stubGlobal("location", new URL("http://localhost:5173/pagina"));
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("where there is no bell", () => {
  const create = async (options: MessagingOptions) => {
    vi.resetModules();
    const { createMessaging } = await import("./messaging.ts");
    for (const _twice of [1, 2]) expect(createMessaging(options)).toBe(null);
    await hintsSpoken();
  };

  it("says that the page is not https, once", async () => {
    await create({ vapidKey });
    expect(warnings()).toEqual([
      "Sineta: there is no bell, because this page is not https; for development on loopback, pass allowLoopback: true.",
    ]);
  });

  it("prints an address with %c as it is, and the cause behind it", async () => {
    const address = "avisos.example/%c3%a9";
    await create({ vapidKey, allowLoopback: true, server: address });
    const [[...printed] = []] = vi.mocked(console.warn).mock.calls;
    expect(format(...printed)).toContain(`the option server is "${address}"; pass an origin`);
    expect(format(...printed)).toContain("Invalid URL");
  });

  it("says nothing where loopback was ruled out", async () => {
    await create({ vapidKey, allowLoopback: false });
    expect(warnings()).toEqual([]);
  });

  it("says that the key is missing", async () => {
    await create({ vapidKey: "", allowLoopback: true });
    expect(warnings()).toEqual([expect.stringContaining("it was given no vapidKey; pass")]);
  });

  it("says that the browser cannot", async () => {
    Reflect.deleteProperty(navigator, "serviceWorker");
    await create({ vapidKey, allowLoopback: true });
    expect(warnings()).toEqual([expect.stringContaining("no service workers, push or")]);
  });

  it("says that an iPhone has none", async () => {
    Object.assign(navigator, { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" });
    await create({ vapidKey, allowLoopback: true });
    expect(warnings()).toEqual([expect.stringMatching(/an iPhone, iPad or iPod.*another browser/)]);
  });

  it("says so also in an iPhone's tab, which has no push", async () => {
    Object.assign(navigator, { userAgent: "Mozilla/5.0 (iPhone)", standalone: false });
    vi.stubGlobal("PushManager", undefined);
    Reflect.deleteProperty(window, "PushManager");
    await create({ vapidKey, allowLoopback: true, appleDevices: "home-screen" });
    expect(warnings()).toEqual([expect.stringMatching(/an iPhone, iPad or iPod.*Home Screen/)]);
  });

  it("says that an iPhone has one only from the Home Screen, where that is asked for", async () => {
    Object.assign(navigator, { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" });
    await create({ vapidKey, allowLoopback: true, appleDevices: "home-screen" });
    expect(warnings()).toEqual([expect.stringMatching(/an iPhone, iPad or iPod.*Home Screen/)]);
  });

  it.each<[string, object | null]>([
    [
      'the option server is "avisos.example.com"; pass an origin with its scheme, such as https://avisos.example.com.',
      { server: "avisos.example.com" },
    ],
    ['the option server is "/push"; pass an origin', { server: "/push" }],
    [
      'the option server is "ftp://avisos.example"; pass an origin',
      { server: "ftp://avisos.example" },
    ],
    [
      `the option worker is "https://["; pass an address on the page's own origin, where the worker's file is, such as /sineta-sw.js.`,
      { worker: "https://[" },
    ],
    [
      'the option server is "httpss://avisos.example"; pass an origin',
      { server: "httpss://avisos.example" },
    ],
    ['the option project is "\ud83d"; pass the name of a project', { project: "\ud83d" }],
    ["createMessaging was given no options; pass vapidKey,", null],
    ["the option server is a value of type symbol; pass an origin", { server: Symbol("x") }],
    [
      "the option project is a value of type object; pass the name",
      { project: Object.create(null) },
    ],
    ["the option worker is a value of type object; pass an address", { worker: unreadable }],
    [
      'the option server is "https://ana:segredo@avisos.example"; pass an origin',
      { server: "https://ana:segredo@avisos.example" },
    ],
    [
      'the option server is "https://ana@avisos.example"; pass an origin',
      { server: "https://ana@avisos.example" },
    ],
    [
      'the option worker is "https://cdn.example/sineta-sw.js"; pass an address on the page',
      { worker: "https://cdn.example/sineta-sw.js" },
    ],
    ['the option worker is "data:text/javascript,"; pass', { worker: "data:text/javascript," }],
    ['the option worker is "javascript:1"; pass', { worker: "javascript:1" }],
    ['the option worker is "blob:x"; pass', { worker: "blob:x" }],
  ])("says that %s", async (sentence, wrong) => {
    await create((wrong && { vapidKey, allowLoopback: true, ...wrong }) as never);
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [expect.stringContaining(`Sineta: there is no bell, because ${sentence}`), expect.any(Error)],
    ]);
  });

  it.each<[string, object]>([
    ["the option vapidKey is no text; pass the key as", { vapidKey: new Uint8Array(65) }],
    ["the option messaging is no messaging object; pass what createMessaging", { messaging: {} }],
  ])("says that %s", async (sentence, wrong) => {
    const options = { vapidKey: "", allowLoopback: true, ...wrong };
    await create(options);
    expect(warnings()).toEqual([
      expect.stringContaining(`Sineta: there is no bell, because ${sentence}`),
    ]);
  });

  it("names the directive sandbox on a sandboxed page", async () => {
    vi.stubGlobal("origin", "null");
    await create({ vapidKey, allowLoopback: true });
    expect(warnings()).toEqual([
      "Sineta: there is no bell, because this page is sandboxed; add allow-same-origin to the directive sandbox of its " +
        "Content-Security-Policy, or to the attribute sandbox of its frame.",
    ]);
  });

  it.each(["serviceWorker", "PushManager", "Notification"])(
    "says that the browser cannot if %s is there without a value",
    async (name) => {
      if (name === "serviceWorker") Object.assign(navigator, { serviceWorker: undefined });
      else vi.stubGlobal(name, undefined);
      await create({ vapidKey, allowLoopback: true });
      expect(warnings()).toEqual([expect.stringContaining("no service workers, push or")]);
    },
  );

  it("blames no option if the browser gives no workers, and hands on the browser's own words", async () => {
    const cause = new DOMException("The document is sandboxed.", "SecurityError");
    Object.defineProperty(navigator, "serviceWorker", {
      get() {
        throw cause;
      },
    });
    await create({ vapidKey, allowLoopback: true });
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [expect.stringContaining("this page has no service workers, push or notifications"), cause],
    ]);
  });

  it("names what is no messaging object for notificationsOf", async () => {
    const { notificationsOf } = await import("./notifications.ts");
    for (const wrong of [{}, Promise.resolve()]) expect(notificationsOf(wrong as never)).toBe(null);
    await hintsSpoken();
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [expect.stringContaining("the option messaging is no messaging object"), expect.any(Error)],
    ]);
  });

  it("says nothing on a page that is not on loopback", async () => {
    vi.stubGlobal("location", new URL("http://loja.example/"));
    await create({ vapidKey });
    expect(warnings()).toEqual([]);
  });
});

describe("where there is no token", () => {
  /** Asks twice, as a load and a click do. */
  const ask = async (options = {}) => {
    const messaging = await loadPage({ server, allowLoopback: true, ...options });
    for (const _twice of [1, 2]) {
      await expect(messaging.getToken({ vapidKey })).rejects.toMatchObject({
        name: MessagingError.name,
      });
    }
    await hintsSpoken();
  };
  /** The sentences, once there is one. */
  const spoken = async () => {
    await vi.waitUntil(() => warnings().length > 0, patience);
    return warnings();
  };

  const refuse = (code: string) =>
    browser.fetch.mockImplementation(async () => Response.json({ code }, { status: 403 }));
  const originHint =
    `Sineta: there is no token, because the server at ${server} does not allow pages of http://localhost:5173; ` +
    "add this page's origin to SINETA_ORIGINS, or to Ajustes in the console.";

  it("names the worker's file, with the browser's own words", async () => {
    const cause = new TypeError("bad HTTP response code (404)");
    browser.serviceWorker.register.mockRejectedValue(cause);
    await ask();
    await spoken();
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [expect.stringContaining("the worker of http://localhost:5173/sineta-sw.js; copy"), cause],
    ]);
  });

  /** The browser tells of a violation of the page's policy once the call has failed, as it does in a task of its own. */
  const reportViolation = (effectiveDirective: string, originalPolicy: string, more = {}) => {
    setTimeout(() => {
      const event = { effectiveDirective, originalPolicy, disposition: "enforce", ...more };
      browser.document.dispatchEvent(Object.assign(new Event("securitypolicyviolation"), event));
    });
  };
  it.each<[kind: string, policy: string, sentence: string]>([
    [
      "worker-src",
      "img-src *; Worker-Src  'none'",
      `Content-Security-Policy forbids the worker by "worker-src 'none'"; allow 'self' in worker-src.`,
    ],
    [
      "worker-src",
      "default-src 'self'; script-src https://cdn.example",
      `forbids the worker by "script-src https://cdn.example"; allow`,
    ],
    ["worker-src", "default-src 'none'", `forbids the worker by "default-src 'none'"; allow`],
    [
      "worker-src",
      "script-src 'self'; child-src 'none'",
      `the worker by "child-src 'none'"; allow`,
    ],
    [
      "require-trusted-types-for",
      "trusted-types site; require-trusted-types-for 'script'",
      `demands Trusted Types by "require-trusted-types-for 'script'; trusted-types site", and allows no policy named sineta; add sineta ` +
        "to trusted-types, and 'allow-duplicates' if the page has a second copy of the client.",
    ],
    [
      "require-trusted-types-for",
      "require-trusted-types-for 'script'; trusted-types sineta",
      `demands Trusted Types by "require-trusted-types-for 'script'", and allows`,
    ],
  ])("names the directive that forbids the worker: %s of %s", async (kind, policy, sentence) => {
    browser.serviceWorker.register.mockImplementation(() => {
      reportViolation(kind, policy);
      throw new TypeError("This document requires 'TrustedScriptURL' assignment.");
    });
    await ask();
    expect(await spoken()).toEqual([expect.stringContaining(sentence)]);
  });

  /** The page's `default` policy gets the address if the page's policy forbids the client's own by this directive. */
  const failUnder = (
    defaultPolicy: (url: string) => string,
    directive: string | null,
    error: Error | null = null,
  ) => {
    let isMade = false;
    const createPolicy = vi.fn((_name: string, rules: object) => {
      if (!directive || (directive.includes("sineta") && !isMade)) {
        isMade = true;
        return { createScriptURL: (url: string) => url, ...rules };
      }
      reportViolation("trusted-types", directive);
      throw new TypeError("disallowed");
    });
    const createScriptURL = defaultPolicy;
    vi.stubGlobal("trustedTypes", { createPolicy, defaultPolicy: { createScriptURL } });
    browser.serviceWorker.register.mockRejectedValue(error ?? new TypeError("404"));
  };
  const refusesAll = () => {
    throw new TypeError("not this one");
  };

  it.each<[string, (url: string) => string]>([
    ["throws", refusesAll],
    ["gives another address", (url) => `${url}?`],
  ])("names the policy sineta if the page's default policy %s", async (_what, defaultPolicy) => {
    failUnder(defaultPolicy, "trusted-types default");
    await ask();
    expect(await spoken()).toEqual([
      "Sineta: there is no token, because the page demands Trusted Types by require-trusted-types-for, its default policy " +
        'does not return the worker\'s address, and "trusted-types default" allows no policy named sineta; add sineta to ' +
        "trusted-types.",
    ]);
  });

  it.each<[string, (url: string) => string, string | null]>([
    ["that passes the address", (url) => url, "trusted-types default"],
    ["if the client's own is allowed once", refusesAll, "trusted-types sineta default"],
    ["if the client's own is allowed", refusesAll, null],
  ])("blames no default policy %s", async (_what, defaultPolicy, directive) => {
    failUnder(defaultPolicy, directive);
    await ask();
    expect(await spoken()).toEqual([expect.stringContaining("could not install the worker of")]);
  });

  it.each<[string, object]>([
    ["a policy that is only reported", { disposition: "report" }],
    ["a violation of something else", { effectiveDirective: "connect-src" }],
  ])("does not blame %s", async (_what, more) => {
    browser.serviceWorker.register.mockImplementation(() => {
      reportViolation("worker-src", "worker-src 'none'; connect-src 'none'", more);
      throw new TypeError("bad HTTP response code (404)");
    });
    await ask();
    expect(await spoken()).toEqual([
      expect.stringContaining(
        "the browser could not install the worker of http://localhost:5173/sineta-sw.js; copy",
      ),
    ]);
  });

  it.each<[server: string, policy: string, sentence: string]>([
    [
      server,
      "connect-src 'self'",
      `forbids the server at ${server} by "connect-src 'self'"; allow ${server} in connect-src.`,
    ],
    [
      server,
      "default-src 'self'",
      `by "default-src 'self'"; allow ${server} in connect-src, beside what default-src allows.`,
    ],
    [server, "default-src 'none'", `by "default-src 'none'"; allow ${server} in connect-src.`],
    [
      "http://localhost:5173",
      "connect-src 'none'",
      `forbids the server at http://localhost:5173 by "connect-src 'none'"; allow 'self' in connect-src.`,
    ],
  ])("names the directive that forbids the server %s: %s", async (asked, policy, sentence) => {
    browser.fetch.mockImplementation(async (url) => {
      reportViolation("connect-src", policy, { blockedURI: String(url) });
      throw new TypeError("Failed to fetch");
    });
    await ask({ server: asked });
    expect(await spoken()).toEqual([expect.stringContaining(sentence)]);
  });

  it("names the directive that forbids the server also if the browser subscribes for too long", async () => {
    const { setTimeout: later } = globalThis;
    vi.stubGlobal("setTimeout", (work: () => void, ms: number) =>
      later(work, ms === 20_000 ? 0 : ms),
    );
    browser.pushManager.subscribe.mockReturnValue(new Promise(() => undefined));
    browser.fetch.mockImplementation(async (url) => {
      reportViolation("connect-src", "connect-src 'self'", { blockedURI: String(url) });
      throw new TypeError("Failed to fetch");
    });
    const messaging = await loadPage({ server, allowLoopback: true });
    await expect(messaging.getToken({ vapidKey })).rejects.toMatchObject({ code: "token-timeout" });
    expect(await spoken()).toEqual([expect.stringContaining(`by "connect-src 'self'"; allow`)]);
  });

  it("does not blame a violation by another request of the page's", async () => {
    browser.fetch.mockImplementation(async () => {
      reportViolation("connect-src", "connect-src 'self'", { blockedURI: `${server}.br/` });
      throw new TypeError("Failed to fetch");
    });
    await ask();
    expect(await spoken()).toEqual([
      expect.stringContaining(`no Sineta server answers this page at ${server};`),
    ]);
  });

  it("names the origin that the server refuses", async () => {
    refuse("origin-not-allowed");
    await ask();
    expect(warnings()).toEqual([originHint]);
  });

  it("tells an origin that the browser keeps from the answer from a server that is away", async () => {
    browser.fetch.mockImplementation(async (_url, { mode }) => {
      if (mode === "no-cors") return new Response();
      throw new TypeError("Failed to fetch");
    });
    await ask();
    await vi.waitFor(() => expect(warnings()).toEqual([originHint]), patience);
    expect(browser.fetch.mock.lastCall?.[0]).toBe(`${server}/v1/projects/default/config`);

    vi.mocked(console.warn).mockClear();
    browser.fetch.mockRejectedValue(new TypeError("Failed to fetch"));
    await ask();
    await vi.waitFor(
      () =>
        expect(warnings()).toEqual([expect.stringContaining(`answers this page at ${server};`)]),
      patience,
    );
  });

  it("names a key of another server", async () => {
    refuse("vapid-key-unknown");
    await ask();
    expect(warnings()).toEqual([expect.stringContaining("is not the key of the server at")]);
  });

  it("names any other code of the server", async () => {
    refuse("quota-reached");
    await ask();
    expect(warnings()).toEqual([
      expect.stringContaining(`refused: quota-reached; ${server}/docs/errors#quota-reached says`),
    ]);
  });

  it("says that the browser keeps no data", async () => {
    const cause = new DOMException("The user denied permission.", "UnknownError");
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw cause;
    });
    await ask();
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [
        "Sineta: there is no token, because the browser keeps no data for this page; allow cookies and site data for " +
          "http://localhost:5173 in its settings, and see that the disk has room.",
        cause,
      ],
    ]);
  });

  it.each<[string, unknown]>([
    ["an object", {}],
    ["a text", "/sw.js"],
    ["a promise", Promise.resolve()],
  ])("names the option serviceWorkerRegistration if it is %s", async (_what, own) => {
    await ask({ serviceWorkerRegistration: own });
    expect(warnings()).toEqual([
      "Sineta: there is no token, because the option serviceWorkerRegistration is no registration of a worker; pass " +
        "what `await navigator.serviceWorker.register(…)` gives.",
    ]);
  });

  it.each(["sineta%2fsw.js", "/a%5Csw.js"])(
    "names the option worker if browsers refuse its path: %s",
    async (worker) => {
      browser.serviceWorker.register.mockRejectedValue(new TypeError("no"));
      await ask({ worker });
      const { href } = new URL(worker, location.href);
      const [[...printed] = []] = vi.mocked(console.warn).mock.calls;
      expect(format(...printed)).toContain(
        `the option worker is "${href}", and browsers take no worker's address with %2f or %5c; pass an address`,
      );
    },
  );

  it("names the option serviceWorkerRegistration if it is a promise that is rejected", async () => {
    const cause = new DOMException("no", "SecurityError");
    const rejected = Promise.reject(cause);
    rejected.catch(() => undefined);
    await ask({ serviceWorkerRegistration: rejected });
    await spoken();
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [
        expect.stringContaining("serviceWorkerRegistration is a promise that is rejected; pass"),
        cause,
      ],
    ]);
  });

  it("names the option serviceWorkerRegistration if it is a promise that stays open", async () => {
    const { setTimeout: later } = globalThis;
    vi.stubGlobal("setTimeout", (work: () => void, ms: number, value?: unknown) =>
      later(work, ms === 20_000 ? 0 : ms, value),
    );
    await ask({ serviceWorkerRegistration: new Promise(() => undefined) });
    expect(await spoken()).toEqual([
      expect.stringContaining("is a promise that stays open, as `navigator.serviceWorker.ready`"),
    ]);
  });

  it("names the option project if the server has no such project", async () => {
    refuse("project-unknown");
    await ask({ project: "Padrão" });
    expect(warnings()).toEqual([
      expect.stringContaining(
        `the server at ${server} has no project named "Padrão"; pass the name of`,
      ),
    ]);
  });

  it("names the option project where the browser hides the server's refusal", async () => {
    browser.fetch.mockImplementation(async (_url, { mode }) => {
      if (mode === "no-cors") return new Response();
      throw new TypeError("Failed to fetch");
    });
    await ask({ project: "loja" });
    await vi.waitFor(
      () =>
        expect(warnings()).toEqual([
          expect.stringContaining(
            `the server at ${server} has no project named "loja", or it does not allow pages of http://localhost:5173; `,
          ),
        ]),
      patience,
    );
  });

  it.each(["B...", vapidKey.slice(0, 80), `${vapidKey}=`, "💥"])(
    "says that %j is no VAPID key",
    async (wrong) => {
      const cause = new DOMException("not valid", "InvalidAccessError");
      browser.pushManager.subscribe.mockRejectedValue(cause);
      const messaging = await loadPage({ server, allowLoopback: true, vapidKey: wrong });
      const failed = messaging.getToken({ vapidKey: wrong });
      await expect(failed).rejects.toMatchObject({ code: "subscribe-failed" });
      const sentence = `the option vapidKey is "${wrong}", which is no VAPID key; pass the whole key`;
      expect(await spoken()).toEqual([expect.stringContaining(sentence)]);
    },
  );

  it("says what keeps a browser from subscribing", async () => {
    browser.pushManager.subscribe.mockRejectedValue(new DOMException("no", "AbortError"));
    await ask();
    expect(warnings()).toEqual([expect.stringContaining("got no push subscription; check")]);
  });

  it.each([undefined, null, ""])(
    "names the default project if the option is %j",
    async (project) => {
      refuse("project-unknown");
      await ask({ project });
      expect(warnings()).toEqual([expect.stringContaining('has no project named "default"; pass')]);
      vi.mocked(console.warn).mockClear();
      refuse("origin-not-allowed");
      await ask({ project });
      expect(warnings()).toEqual([originHint]);
    },
  );

  it("says that no Sineta server answers if the page's own origin answers something else", async () => {
    browser.fetch.mockImplementation(async () => new Response("<!doctype html>"));
    await ask({ server: "http://localhost:5173" });
    expect(warnings()).toEqual([
      expect.stringContaining("no Sineta server answers this page at http://localhost:5173; "),
    ]);
  });

  it.each([undefined, ""])(
    "names the option server if it is %j and the page's own origin is no Sineta server",
    async (given) => {
      const sentence =
        "Sineta: there is no token, because no Sineta server answers this page at http://localhost:5173%s; pass the " +
        "option server, the origin of the Sineta server, or check that it runs here.";
      browser.fetch.mockImplementation(async () => new Response("Not found", { status: 404 }));
      await ask({ server: given });
      expect(warnings()).toEqual([sentence.replace("%s", " (HTTP 404)")]);
      vi.mocked(console.warn).mockClear();
      browser.fetch.mockImplementation(async () => new Response("<!doctype html>"));
      await ask({ server: given });
      expect(warnings()).toEqual([sentence.replace("%s", "")]);
    },
  );

  it("says that no Sineta server answers if a proxy does", async () => {
    browser.fetch.mockImplementation(async () => new Response("<html>", { status: 502 }));
    await ask();
    expect(warnings()).toEqual([
      `Sineta: there is no token, because no Sineta server answers this page at ${server} (HTTP 502); check its address, and that it runs.`,
    ]);
  });

  it("names the server if the site's own worker is a promise that is kept", async () => {
    refuse("quota-reached");
    await ask({ serviceWorkerRegistration: Promise.resolve(browser.registration) });
    expect(warnings()).toEqual([expect.stringContaining("refused: quota-reached")]);
  });

  it("says that the database does not open", async () => {
    vi.spyOn(indexedDB, "open").mockReturnValue({} as IDBOpenDBRequest);
    const { setTimeout: later } = globalThis;
    vi.stubGlobal("setTimeout", (work: () => void, ms: number) =>
      later(work, ms === 10_000 ? 0 : ms),
    );
    await ask();
    expect(warnings()).toEqual([expect.stringContaining("did not open within 10 s; close")]);
  });

  it("names what the page has not, where the browser keeps data", async () => {
    vi.stubGlobal("crypto", undefined);
    vi.stubGlobal("BroadcastChannel", undefined);
    await ask();
    const messaging = await loadPage({ server, allowLoopback: true });
    messaging.onMessage(() => undefined);
    await hintsSpoken();
    expect(warnings()).toEqual([
      expect.stringContaining("there is no token, because this page has no crypto; open it in"),
      expect.stringContaining("no notice, because this page has no BroadcastChannel; open it in"),
    ]);
  });

  it.each(["fetch", "AbortController"])("names %s where the page has none", async (name) => {
    vi.stubGlobal(name, undefined);
    await ask();
    expect(await spoken()).toEqual([
      expect.stringContaining(`there is no token, because this page has no ${name}; open it in`),
    ]);
  });

  it("says that no server answers where a script's own fetch throws", async () => {
    browser.fetch.mockImplementation(() => {
      throw new TypeError("no");
    });
    await ask();
    expect(await spoken()).toEqual([
      expect.stringContaining(`there is no token, because no Sineta server answers this page at`),
    ]);
  });

  it("says that the time zone cannot be read", async () => {
    vi.spyOn(Intl, "DateTimeFormat").mockImplementation(() => {
      throw new RangeError("no");
    });
    await ask();
    expect(await spoken()).toEqual([
      expect.stringContaining("because Intl.DateTimeFormat tells no time zone; see"),
    ]);
  });

  it("says why onMessage hears of no notice", async () => {
    const cause = new DOMException("The operation is insecure.", "SecurityError");
    vi.stubGlobal("BroadcastChannel", function barred() {
      throw cause;
    });
    const messaging = await loadPage({ server, allowLoopback: true });
    expect(messaging.onMessage(() => undefined)()).toBe(undefined);
    await hintsSpoken();
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [expect.stringContaining("onMessage hears of no notice, because the browser keeps"), cause],
    ]);
  });

  it("says nothing on a page that is not on loopback", async () => {
    vi.stubGlobal("location", new URL("https://loja.example/"));
    refuse("origin-not-allowed");
    await ask();
    expect(warnings()).toEqual([]);
    expect(browser.fetch).toHaveBeenCalledTimes(2);
  });
});
