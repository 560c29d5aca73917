import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { establishIdentity, keepConfirmed } from "../storage/identities.ts";
import { fakeBrowser } from "../test/browser.ts";
import { report } from "./receipt.ts";

const source = { messageId: "m1", receiptKey: "k1" };

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  browser = fakeBrowser();
  browser.fetch.mockImplementation(async () => new Response(null, { status: 204 }));
});
afterEach(() => void vi.unstubAllGlobals());

/** What is kept once that project has confirmed this browser. */
async function confirmedBy(project: string, atMs: number) {
  await keepConfirmed(
    {
      registrationsUrl: `https://avisos.example/v1/projects/${project}/registrations`,
      clientSecret: "secret",
    },
    {
      token: `token-of-${project}`,
      endpoint: "https://push.example/1",
      vapidKey: "B",
      atMs,
    },
  );
}

it("goes to the server that confirmed this browser last, without cookie or secret", async () => {
  await confirmedBy("antes", 1);
  await confirmedBy("loja", 3);
  await confirmedBy("zero", 2);
  await establishIdentity("https://a.example/x");
  await report("clicked", source, "2");
  const [url, request] = browser.fetch.mock.lastCall ?? [];
  expect(String(url)).toBe("https://avisos.example/v1/projects/loja/receipts");
  expect(request).toEqual({
    method: "POST",
    body: JSON.stringify({
      messageId: "m1",
      token: "token-of-loja",
      key: "k1",
      event: "clicked",
      action: "2",
    }),
    headers: { "Content-Type": "application/json" },
    credentials: "omit",
    keepalive: true,
  });
});

it("names no action where none was clicked", async () => {
  await confirmedBy("loja", 1);
  await report("displayed", source);
  expect(JSON.parse(browser.fetch.mock.lastCall?.[1].body as string)).toEqual({
    messageId: "m1",
    token: "token-of-loja",
    key: "k1",
    event: "displayed",
  });
});

it("is not sent without a key, nor by a browser that no server has confirmed", async () => {
  await report("closed", source);
  await confirmedBy("loja", 1);
  await report("closed", undefined);
  await report("closed", { messageId: "m1", receiptKey: "" });
  expect(browser.fetch).not.toHaveBeenCalled();
});

it("is lost without a word when it cannot be sent", async () => {
  await confirmedBy("loja", 1);
  browser.fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(report("closed", source)).resolves.toBe(undefined);
  expect(browser.fetch).toHaveBeenCalledOnce();
  browser.fetch.mockResolvedValueOnce(Response.json({ code: "receipt-refused" }, { status: 403 }));
  await expect(report("closed", source)).resolves.toBe(undefined);
  vi.stubGlobal("indexedDB", undefined);
  await expect(report("closed", source)).resolves.toBe(undefined);
  expect(browser.fetch).toHaveBeenCalledTimes(2);
});
