import { expect, test as base } from "@playwright/test";
import { type PushLab, startPushLab } from "@sineta/push-lab";
import { keep, type Kept } from "./browsers/kept.ts";
import { openBrowser } from "./browsers/open.ts";
import type { Browser, Decision, Engine } from "./browsers/port.ts";
import { openProfile, type Profile } from "./browsers/profile.ts";
import { unspecified } from "./console.ts";
import { type Desktop, startDesktop } from "./desktop.ts";
import { type OwnPage, serveOwnPage } from "./own-page.ts";
import { freePort, type SinetaServer, startServer } from "./server.ts";
import { openVisitor, type Visitor, type VisitorOptions } from "./visitor.ts";

/** Starts a server of the test's own that reaches the lab, with these settings besides. */
export type Serve = (environment?: Record<string, string>) => Promise<SinetaServer>;

type PerTest = {
  /** All that it starts are stopped when the test ends. */
  serve: Serve;
  /** The page of `e2e/own-page`, at an origin of its own. */
  ownPage: OwnPage;
  /** A desktop, for a visitor whose notifications are to be seen and clicked. */
  desktop: Desktop;
  /** Opens a browser, by default on the server's site; all are closed when the test ends. */
  visit: (options?: Partial<VisitorOptions>) => Promise<Visitor>;
  /** All that it opens are closed when the test ends. */
  browse: Browse;
};

/** Opens a browser of the engine under test; by default notifications are allowed on the server's site. */
export type Browse = (
  decisions?: Readonly<Record<string, Decision>>,
  hosts?: string[],
) => Promise<Browser>;

type PerWorker = {
  engine: Engine;
  lab: PushLab;
  server: SinetaServer;
  keptBrowsers: Kept<Browser>;
  keptProfiles: Kept<Profile>;
};

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
  keptBrowsers: [
    async ({ engine, lab }, use) => {
      const kept = keep(() => openBrowser(engine, { lab, hosts: [] }));
      await use(kept);
      await kept.close();
    },
    { scope: "worker" },
  ],
  keptProfiles: [
    async ({ lab }, use) => {
      const kept = keep(() => openProfile({ lab }));
      await use(kept);
      await kept.close();
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
  // oxlint-disable-next-line no-empty-pattern
  ownPage: async ({}, use) => {
    const page = await serveOwnPage(await freePort());
    await use(page);
    await page.stop();
  },
  visit: async ({ keptProfiles, lab, server }, use) => {
    const profiles: Profile[] = [];
    await use(async (given = {}) => {
      const options = { lab, url: server.url, ...given };
      const openOwn = needsOwnProfile(options) ? () => openProfile(options) : undefined;
      const profile = await keptProfiles.take(openOwn);
      profiles.push(profile);
      return openVisitor(options, profile);
    });
    lab.chromium.recover();
    await Promise.all(profiles.map((profile) => keptProfiles.giveBack(profile)));
  },
  browse: async ({ engine, keptBrowsers, lab, server }, use) => {
    const browsers: Browser[] = [];
    await use(async (decisions = { [new URL(server.url).origin]: "granted" }, hosts = []) => {
      const openOwn = () => openBrowser(engine, { lab, hosts });
      const browser = await keptBrowsers.take(hosts.length > 0 ? openOwn : undefined);
      browsers.push(browser);
      for (const [origin, decision] of Object.entries(decisions))
        await browser.decide(origin, decision);
      return browser;
    });
    lab.chromium.recover();
    lab.firefox.recover();
    const said = browsers.flatMap((browser) => unspecified(browser.said));
    await Promise.all(browsers.map((browser) => keptBrowsers.giveBack(browser)));
    expect(said).toEqual([]);
  },
});

/** Whether the Chromium must start with settings of this visitor's, or will keep something that no reset takes away. */
function needsOwnProfile({ hosts, desktop, headless, userAgent, allows }: VisitorOptions): boolean {
  const settings = [hosts, desktop, headless, userAgent];
  // Chromium counts how often a site's question stays unanswered, and then stops asking. No reset clears the count.
  return allows === false || settings.some((setting) => setting !== undefined);
}

export { expect } from "@playwright/test";
