/** `@sineta/push-lab/playwright`: Playwright Test whose pages can be pushed to. */
import {
  type BrowserContext,
  chromium,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestType,
} from "@playwright/test";

import { chromiumLaunch } from "../browsers/chromium-launch.ts";
import { recordDisplays } from "../browsers/displays.ts";
import {
  type ShownNotification,
  waitForNotification,
  type WantedNotification,
} from "../browsers/notifications.ts";
import type { VisitorOptions } from "../browsers/visitor.ts";
import { type PushLab, type PushLabOptions, startPushLab } from "../lab.ts";

export { expect } from "@playwright/test";

/** Playwright's own options for a persistent context, and: */
export type ContextOptions = NonNullable<
  Parameters<(typeof chromium)["launchPersistentContext"]>[1]
> &
  VisitorOptions;

/**
 * Starts a Chromium that uses the lab, in a profile of its own that is gone after `context.close()`.
 *
 * @throws PushLabError `browser-missing`, `invalid-host`
 */
export async function openChromium(
  lab: PushLab,
  options: ContextOptions = {},
): Promise<BrowserContext> {
  const { permission = "granted", origins, hosts, executablePath, args, ...rest } = options;
  // No path: Playwright makes a folder, and removes it.
  const context = await chromium.launchPersistentContext("", {
    ...rest,
    ...chromiumLaunch(lab, { executablePath, args, hosts }),
  });
  try {
    await decide(context, permission, origins);
    await recordDisplays(context.pages()[0] ?? (await context.newPage()));
    return context;
  } catch (error) {
    await context.close();
    throw error;
  }
}

async function decide(
  context: BrowserContext,
  permission: "granted" | "denied",
  origins: readonly string[] | undefined,
): Promise<void> {
  const where = origins?.map((origin) => ({ origin })) ?? [{}];
  if (permission === "granted") {
    for (const one of where) await context.grantPermissions(["notifications"], one);
    return;
  }
  // Playwright itself can only allow. The session stays open: what it has set ends with it.
  const page = context.pages()[0] ?? (await context.newPage());
  const session = await context.newCDPSession(page);
  const refusal = { permission: { name: "notifications" }, setting: permission };
  for (const one of where) await session.send("Browser.setPermission", { ...refusal, ...one });
}

export type PushWorkerFixtures = {
  /** What the lab is started with: `test.use({ labOptions: {...} })`, or `use` in the configuration. */
  labOptions: PushLabOptions;
  /** One lab for all tests of a Playwright worker. */
  lab: PushLab;
};

export type PushFixtures = {
  /** What else the browser is started with: `test.use({ pushOptions: { permission: "denied" } })`. */
  pushOptions: VisitorOptions;
  /** `waitForNotification` for the page: what one of its origin's workers shows. */
  notification: (wanted?: WantedNotification) => Promise<ShownNotification>;
};

/**
 * Playwright's `test`, with a push lab, and with a `context` (and so a `page`) that can be pushed to: a Chromium with a
 * profile of its own for every test. Options for contexts in `use` hold for it, too.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PushFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & PushWorkerFixtures
> = base.extend<PushFixtures, PushWorkerFixtures>({
  labOptions: [{}, { scope: "worker", option: true }],
  lab: [
    async ({ labOptions }, use) => {
      const lab = await startPushLab(labOptions);
      await use(lab);
      await lab.close();
    },
    { scope: "worker" },
  ],
  pushOptions: [{}, { option: true }],
  context: async ({ lab, pushOptions, launchOptions, browserName }, use) => {
    if (browserName !== "chromium")
      throw new Error(
        `Playwright's ${browserName} cannot be pushed to: use Chromium, or openFirefox of @sineta/push-lab/puppeteer.`,
      );
    const context = await openChromium(lab, { ...launchOptions, ...pushOptions });
    await use(context);
    await context.close();
  },
  notification: async ({ page }, use) => {
    await use((wanted) => waitForNotification(page, wanted));
  },
});
