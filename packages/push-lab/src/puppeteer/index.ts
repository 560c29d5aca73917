/** `@sineta/push-lab/puppeteer`: browsers for tests, in any test runner, driven by puppeteer-core. */
import { type Browser, launch, type LaunchOptions } from "puppeteer-core";

import { chromiumLaunch } from "../browsers/chromium-launch.ts";
import { recordDisplays } from "../browsers/displays.ts";
import { findFirefox } from "../browsers/find.mjs";
import { missing } from "../browsers/missing.ts";
import type { VisitorOptions } from "../browsers/visitor.ts";
import type { PushLab } from "../lab.ts";

/** Puppeteer's own options, and: */
export type BrowserOptions = Omit<LaunchOptions, "browser"> & VisitorOptions;

/**
 * Starts a Chromium that uses the lab, without a window unless asked for one, in a profile of its own that is gone after
 * `browser.close()`.
 *
 * @throws PushLabError `browser-missing`, `invalid-host`
 */
export async function openChromium(lab: PushLab, options: BrowserOptions = {}): Promise<Browser> {
  const { permission = "granted", origins = ["*"], hosts, executablePath, args, ...rest } = options;
  const browser = await launchDespiteCrash({
    ...rest,
    ...chromiumLaunch(lab, { executablePath, args, hosts }),
    browser: "chrome",
  });
  return await decided(browser, permission, origins);
}

/**
 * Starts a Firefox that uses the lab, without a window unless asked for one, in a profile of its own that is gone after
 * `browser.close()`.
 *
 * @throws PushLabError `browser-missing`, `invalid-host`
 */
export async function openFirefox(lab: PushLab, options: BrowserOptions = {}): Promise<Browser> {
  const { permission = "granted", origins, hosts = [], env, extraPrefsFirefox, ...rest } = options;
  const executablePath = options.executablePath ?? findFirefox();
  if (executablePath === undefined)
    throw missing("Firefox", "SINETA_FIREFOX", "elsewhere: https://www.mozilla.org/firefox");
  const browser = await launchDespiteCrash({
    // It does not know the lab's authority; the sites that it can reach are on this machine.
    acceptInsecureCerts: true,
    ...rest,
    executablePath,
    browser: "firefox",
    env: { ...(env ?? process.env), ...lab.firefox.environment },
    extraPrefsFirefox: {
      ...lab.firefox.prefsFor({ hosts }),
      // It takes no "*" for an origin.
      ...(origins === undefined && {
        "permissions.default.desktop-notification": decisionForAll[permission],
      }),
      ...extraPrefsFirefox,
    },
  });
  return await decided(browser, permission, origins ?? []);
}

/**
 * On a busy machine a browser crashes as it starts, now and then: that is no reason for anybody's test to fail, so it is
 * started once more. What it refuses to start with ends it with status 1, and is told at once.
 */
async function launchDespiteCrash(options: LaunchOptions): Promise<Browser> {
  try {
    return await launch(options);
  } catch (error) {
    if (!hasCrashed(error)) throw error;
    return await launch(options);
  }
}

/** Ended by a signal, which Firefox gives as its status, once its crash reporter has written down what happened. */
function hasCrashed(error: unknown): boolean {
  const words = error instanceof Error ? error.message : "";
  const code = /^Failed to launch the browser process:\s+Code: (\d+|null)/.exec(words)?.[1];
  return code !== undefined && crashes.has(code);
}

/** No status, since a signal ended it; SIGTRAP, SIGABRT, SIGBUS, SIGSEGV as Firefox gives them. */
const crashes: ReadonlySet<string> = new Set(["null", "5", "6", "7", "11"]);

/** As Firefox's preferences have it. */
const decisionForAll = { granted: 1, denied: 2 };

async function decided(
  browser: Browser,
  state: "granted" | "denied",
  origins: readonly string[],
): Promise<Browser> {
  try {
    const context = browser.defaultBrowserContext();
    const decision = { permission: { name: "notifications" }, state };
    for (const origin of origins) await context.setPermission(origin, decision);
    const [page] = await browser.pages();
    await recordDisplays(page ?? (await browser.newPage()));
    return browser;
  } catch (error) {
    await browser.close();
    throw error;
  }
}
