/** The next visit heals a lost subscription, without a click. In Chromium and in Firefox. */
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Browser, Tab } from "../support/browsers/port.ts";
import { type Browse, expect, type Serve, test } from "../support/fixtures.ts";
import { pass } from "../support/identity.ts";
import { serveOwnPage } from "../support/own-page.ts";
import { bellOf, isOn, requestsOf, tokenActionsOf, tokenIn } from "../support/page.ts";
import { freePort, type SinetaServer } from "../support/server.ts";
import { activeScriptOf, subscriptionIn, subscriptionOf, updateWorker } from "../support/worker.ts";

const hourMs = 60 * 60 * 1000;

type Visit = { server: SinetaServer; browser: Browser; tab: Tab; token: string };

/** A server of the test's own, and a browser on its site with the bell turned on. */
async function enabled(serve: Serve, browse: Browse): Promise<Visit> {
  const server = await serve();
  const browser = await browse({ [new URL(server.url).origin]: "granted" });
  const tab = await browser.open(server.url);
  return { server, browser, tab, token: await tokenIn(tab) };
}

async function send(server: SinetaServer, to: string, title: string): Promise<string> {
  const sent = await server.run("send", "--to", to, "--title", title, "--body", "Oi");
  expect(sent).toMatchObject({ status: 0, stderr: "" });
  return sent.stdout;
}

/** Visits again an hour later, in a new tab. The page gets the token that it has kept, then the healed one. */
async function visitAgain({ browser, tab }: Visit): Promise<{ tab: Tab; tokens: string[] }> {
  const url = tab.url();
  await pass(tab, hourMs);
  await tab.close();
  const next = await browser.open(url);
  await expect.poll(() => tokenActionsOf(next)).toHaveLength(2);
  expect(await bellOf(next)).toEqual(isOn);
  return { tab: next, tokens: (await tokenActionsOf(next)).map(({ payload }) => payload) };
}

/** Expects that a message reaches the browser, and that the page has written nothing to its console. */
async function expectReached({ server, browser }: Visit, tab: Tab, token: string) {
  expect(await send(server, token, "De volta")).toContain("1 accepted, 0 gone");
  await browser.desktop.notification("De volta");
  expect(tab.lines).toEqual([]);
  expect(tab.complaints).toEqual([]);
}

test("a subscription that its push service has ended is made anew", async ({
  browse,
  lab,
  serve,
}) => {
  const visit = await enabled(serve, browse);
  const { server, tab, token } = visit;
  expect(await send(server, token, "Antes")).toContain("1 accepted");
  const { endpoint: dead = "" } = await subscriptionIn(tab);
  lab.endSubscription(dead, 410);
  expect(await send(server, "all", "Para ninguém")).toContain("1 gone");

  const next = await visitAgain(visit);
  expect(next.tokens).toEqual([token, token]);
  expect((await subscriptionOf(next.tab))?.endpoint).not.toBe(dead);
  await expectReached(visit, next.tab, token);
});

test("a browser registers again with a server that was restored from an older back-up", async ({
  browse,
  serve,
}) => {
  const server = await serve();
  const database = join(server.data, "sineta.db");
  const backup = join(server.data, "backup.db");
  const reading = new DatabaseSync(database);
  reading.exec(`vacuum into '${backup}'`);
  reading.close();
  const browser = await browse({ [new URL(server.url).origin]: "granted" });
  const tab = await browser.open(server.url);
  const visit = { server, browser, tab, token: await tokenIn(tab) };

  await server.kill();
  for (const suffix of ["-wal", "-shm"]) await rm(database + suffix, { force: true });
  await copyFile(backup, database);
  await server.start();
  const next = await visitAgain(visit);
  await expectReached(visit, next.tab, next.tokens[1] ?? "");
});

test("a browser that has lost nothing looks once, and the page gets its token once", async ({
  browse,
  serve,
}) => {
  const visit = await enabled(serve, browse);
  await pass(visit.tab, hourMs);
  const next = await visit.browser.open(visit.server.url);
  await expect.poll(() => requestsOf(next)).toHaveLength(1);
  const [request] = await requestsOf(next);
  expect(request?.url).toMatch(/\/registrations\/[\w-]{43}\/look$/);
  // The next page load and the next tab know of this look.
  await next.reload();
  const third = await visit.browser.open(visit.server.url);
  await tokenIn(third);
  expect(await requestsOf(next)).toEqual([]);
  expect(await requestsOf(third)).toEqual([]);
  for (const tab of [next, third]) {
    expect(await tokenActionsOf(tab)).toHaveLength(1);
    expect(tab.lines).toEqual([]);
    expect(tab.complaints).toEqual([]);
  }
});

test.describe("on a page of the site's own", () => {
  /** The page with the bell on, and the folder with its files. */
  async function enabledOwnPage(serve: Serve, browse: Browse) {
    const page = await serveOwnPage(await freePort());
    const server = await serve({ SINETA_ORIGINS: page.url });
    const vapidKey = /B[\w-]{86}/.exec((await server.run("keys")).stdout)?.[0] ?? "";
    const browser = await browse({ [new URL(page.url).origin]: "granted" });
    const url = `${page.url}?${new URLSearchParams({ server: server.url, vapidKey })}`;
    const tab = await browser.open(url);
    return { page, visit: { server, browser, tab, token: await tokenIn(tab) } };
  }

  test("a visit replaces another script that holds the scope", async ({ browse, serve }) => {
    const { page, visit } = await enabledOwnPage(serve, browse);
    try {
      await writeFile(join(page.folder, "other.js"), "oninstall = () => skipWaiting();");
      await visit.tab.run(
        (scope) => navigator.serviceWorker.register("/other.js", { scope }).then(() => undefined),
        "/sineta-push-scope/",
      );
      await expect.poll(() => activeScriptOf(visit.tab)).toBe("/other.js activated");
      const next = await visitAgain(visit);
      expect(next.tokens).toEqual([visit.token, visit.token]);
      await expectReached(visit, next.tab, visit.token);
    } finally {
      await page.stop();
    }
  });

  test("a visit fetches the worker's file anew after it was replaced and put back", async ({
    browse,
    serve,
  }) => {
    const { page, visit } = await enabledOwnPage(serve, browse);
    try {
      const file = join(page.folder, "sineta-sw.js");
      const ours = await readFile(file);
      await writeFile(file, "oninstall = () => skipWaiting();");
      await updateWorker(visit.tab);
      await writeFile(file, ours);

      const { server, browser, tab, token } = visit;
      const url = tab.url();
      await pass(tab, hourMs);
      await tab.close();
      const next = await browser.open(url);
      expect(await tokenIn(next)).toBe(token);
      await expect
        .poll(async () => {
          await send(server, token, "De volta");
          return browser.desktop.showings();
        })
        .toContain("De volta");
      expect((await requestsOf(next)).map((request) => request.url)).toEqual([
        expect.stringMatching(/\/look$/),
      ]);
      expect(next.lines).toEqual([]);
      expect(next.complaints).toEqual([]);
    } finally {
      await page.stop();
    }
  });
});
