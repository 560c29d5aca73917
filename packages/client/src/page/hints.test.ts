import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MessagingError } from "../errors.ts";
import { fakeBrowser } from "../test/browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";
import type { MessagingOptions } from "./messaging.ts";

const server = "https://avisos.example";
const patience = { timeout: 30_000, interval: 20 };
let browser: ReturnType<typeof fakeBrowser>;

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
      `the option worker is "https://["; pass the address of the worker's file, such as /sineta-sw.js.`,
      { worker: "https://[" },
    ],
    [
      'the option server is "httpss://avisos.example"; pass an origin',
      { server: "httpss://avisos.example" },
    ],
    ['the option project is "\ud83d"; pass the name of a project', { project: "\ud83d" }],
    ["createMessaging was given no options; pass vapidKey,", null],
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

  it("blames no option in a sandboxed document, and hands on the browser's own words", async () => {
    const cause = new DOMException("The document is sandboxed.", "SecurityError");
    Object.defineProperty(navigator, "serviceWorker", {
      get() {
        throw cause;
      },
    });
    await create({ vapidKey, allowLoopback: true });
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      ["Sineta: there is no bell, because createMessaging failed.", cause],
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
  const ask = async () => {
    const messaging = await loadPage({ server, allowLoopback: true });
    for (const _twice of [1, 2]) {
      await expect(messaging.getToken({ vapidKey })).rejects.toMatchObject({
        name: MessagingError.name,
      });
    }
    await hintsSpoken();
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
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [expect.stringContaining("the worker of http://localhost:5173/sineta-sw.js; copy"), cause],
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
    expect(warnings()).toEqual([expect.stringContaining("refused: quota-reached; docs/errors.md")]);
  });

  it("says what keeps a browser from subscribing", async () => {
    browser.pushManager.subscribe.mockRejectedValue(new DOMException("no", "AbortError"));
    await ask();
    expect(warnings()).toEqual([expect.stringContaining("got no push subscription; check")]);
  });

  it("says nothing on a page that is not on loopback", async () => {
    vi.stubGlobal("location", new URL("https://loja.example/"));
    refuse("origin-not-allowed");
    await ask();
    expect(warnings()).toEqual([]);
    expect(browser.fetch).toHaveBeenCalledTimes(2);
  });
});
