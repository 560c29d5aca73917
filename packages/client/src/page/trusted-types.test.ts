import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { trustedTypesPolicyName } from "@sineta/protocol/content-security-policy";
import { fakeBrowser } from "../test/browser.ts";
import { vapidKey } from "../test/page.ts";

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  browser = fakeBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const workerUrl = "https://loja.example/sineta-sw.js";

/** The page asks for two tokens, each with a worker's file of its own. */
async function askTwice() {
  vi.resetModules();
  const { createMessaging } = await import("./messaging.ts");
  for (const worker of [workerUrl, "https://loja.example/outro.js"]) {
    await createMessaging({ vapidKey, worker })?.getToken({ vapidKey });
  }
}

/** What `register()` was called with, by its type, and as a text. */
const registered = () =>
  browser.serviceWorker.register.mock.calls.map(([url]) => [typeof url, String(url)]);

it("passes both workers' addresses through the policy sineta, which it makes once", async () => {
  // A trusted address is no text, as a URL is none.
  browser.trustedTypes.createPolicy.mockImplementation((_name, { createScriptURL }) => ({
    createScriptURL: (url) => new URL(createScriptURL(url)),
  }));
  await askTwice();
  expect(registered()).toEqual([
    ["object", workerUrl],
    ["object", "https://loja.example/outro.js"],
  ]);
  expect(browser.trustedTypes.createPolicy.mock.calls).toEqual([
    [trustedTypesPolicyName, expect.any(Object)],
  ]);
});

it("passes the plain address if the page forbids the policy, and tries to make it once", async () => {
  browser.trustedTypes.createPolicy.mockImplementation(() => {
    throw new TypeError('Policy with name "sineta" disallowed.');
  });
  await askTwice();
  expect(registered()).toEqual([
    ["string", workerUrl],
    ["string", "https://loja.example/outro.js"],
  ]);
  expect(browser.trustedTypes.createPolicy).toHaveBeenCalledOnce();
});

it("passes the plain address if the browser has no Trusted Types", async () => {
  vi.stubGlobal("trustedTypes", undefined);
  await askTwice();
  expect(registered()[0]).toEqual(["string", workerUrl]);
});

it("makes no policy before a worker is installed", async () => {
  vi.resetModules();
  const { createMessaging } = await import("./messaging.ts");
  createMessaging({ vapidKey });
  expect(browser.trustedTypes.createPolicy).not.toHaveBeenCalled();
});
