import { expect, test as base } from "@playwright/test";
import { type PushLab, startPushLab } from "@sineta/push-lab";
import { openBrowser } from "./browsers/open.ts";
import type { Browser, BrowserOptions, Engine } from "./browsers/port.ts";
import { unspecified } from "./console.ts";
import { type Desktop, startDesktop } from "./desktop.ts";
import { type SinetaServer, startServer } from "./server.ts";
import { openVisitor, type Visitor, type VisitorOptions } from "./visitor.ts";

/** Starts a server of the test's own that reaches the lab, with these settings besides. */
export type Serve = (environment?: Record<string, string>) => Promise<SinetaServer>;

type PerTest = {
  /** All that it starts are stopped when the test ends. */
  serve: Serve;
  /** A desktop, for a visitor whose notifications are to be seen and clicked. */
  desktop: Desktop;
  /** Opens a browser, by default on the server's site; all are closed when the test ends. */
  visit: (options?: Partial<VisitorOptions>) => Promise<Visitor>;
  /** All that it opens are closed when the test ends. */
  browse: Browse;
};

/** Opens a browser of the engine under test; by default notifications are allowed on the server's site. */
export type Browse = (
  decisions?: BrowserOptions["decisions"],
  hosts?: string[],
) => Promise<Browser>;

type PerWorker = { engine: Engine; lab: PushLab; server: SinetaServer };

/** A test with the lab, a Sineta server that reaches it, and visitors with real browsers. */
export const test = base.extend<PerTest, PerWorker>({
  engine: ["chromium", { option: true, scope: "worker" }],
  lab: [
    // Playwright reads from the pattern which fixtures are needed: none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const lab = await startPushLab();
      await use(lab);
      await lab.close();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ lab }, use) => {
      const server = await startServer(lab.serverEnvironment);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  // oxlint-disable-next-line no-empty-pattern
  desktop: async ({}, use) => {
    const desktop = await startDesktop();
    await use(desktop);
    await desktop.stop();
  },
  serve: async ({ lab }, use) => {
    const servers: SinetaServer[] = [];
    await use(async (environment = {}) => {
      const server = await startServer({ ...lab.serverEnvironment, ...environment });
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map((server) => server.stop()));
  },
  visit: async ({ lab, server }, use) => {
    const visitors: Visitor[] = [];
    await use(async (options = {}) => {
      const visitor = await openVisitor({ lab, url: server.url, ...options });
      visitors.push(visitor);
      return visitor;
    });
    lab.chromium.recover();
    await Promise.all(visitors.map((visitor) => visitor.close()));
  },
  browse: async ({ engine, lab, server }, use) => {
    const browsers: Browser[] = [];
    await use(async (decisions = { [new URL(server.url).origin]: "granted" }, hosts = []) => {
      const browser = await openBrowser(engine, { lab, decisions, hosts });
      browsers.push(browser);
      return browser;
    });
    lab.chromium.recover();
    lab.firefox.recover();
    await Promise.all(browsers.map((browser) => browser.close()));
    expect(browsers.flatMap(({ said }) => unspecified(said))).toEqual([]);
  },
});

export { expect } from "@playwright/test";
