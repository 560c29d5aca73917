import { mkdtemp, readlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "@playwright/test";
import { allowNotifications } from "@sineta/push-lab";
import { recordConsole, recordEverything } from "../console.ts";
import { startDesktop } from "../desktop.ts";
import {
  type Browser,
  type BrowserOptions,
  callText,
  type Decision,
  type Said,
  type Script,
  type Tab,
} from "./port.ts";
import { launchChromium } from "./launch-chromium.ts";
import { copyProfile, removeProfile } from "./profile-copy.ts";
import { recordActions, recordRequests } from "../recorder.ts";

/** Chromium, driven by Playwright, without a window. */
export async function openChromium({ lab, hosts }: BrowserOptions): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "sineta-chromium-"));
  const desktop = await startDesktop();
  const decided = new Map<string, Decision>();
  const said: Said[] = [];
  // Chromium forgets what is granted through the protocol when it ends, and with it the subscription: so it is written
  // into the profile.
  const granted = () =>
    [...decided].filter(([, one]) => one === "granted").map(([origin]) => origin);

  async function launch(): Promise<BrowserContext> {
    const viewport = { width: 1280, height: 800 };
    const launched = await launchChromium(profile, lab, { hosts, desktop, viewport });
    await launched.addInitScript(recordActions);
    await launched.addInitScript(recordRequests);
    launched.on("page", (page) => recordEverything(page, said));
    launched.on("serviceworker", (worker) => recordEverything(worker, said));
    return launched;
  }
  let context = await launch();

  const session = async (): Promise<CDPSession> =>
    context.newCDPSession(context.pages()[0] ?? (await context.newPage()));

  async function decide(origin: string, decision: Decision): Promise<void> {
    decided.set(origin, decision);
    await (
      await session()
    ).send("Browser.setPermission", {
      permission: { name: "notifications" },
      setting: decision === "default" ? "prompt" : decision,
      origin,
    });
  }

  /** Sets what the origin may do, through its page of Chromium's settings. */
  async function setContentSetting(origin: string, type: string, setting: string): Promise<void> {
    const page = await context.newPage();
    await page.goto(`chrome://settings/content/siteDetails?site=${encodeURIComponent(origin)}`);
    await page.evaluate(
      (change) => Reflect.get(window, "chrome").send("setOriginPermissions", change),
      [origin, type, setting],
    );
    await page.close();
  }

  return {
    engine: "chromium",
    said,
    desktop,
    async open(url) {
      const page = await context.newPage();
      const tab = tabOf(page);
      await page.goto(url);
      return tab;
    },
    addresses: async () => context.pages().map((page) => page.url()),
    decide,
    decideInSettings: (origin, decision) =>
      setContentSetting(
        origin,
        "notifications",
        { granted: "allow", denied: "block", default: "ask" }[decision],
      ),
    blockSiteData: (origin, blocked) =>
      setContentSetting(origin, "cookies", blocked ? "block" : "allow"),
    // Without a window Chromium puts no question: what the person would answer is decided before.
    async answering(origin, answer, act) {
      await decide(origin, answer);
      await act();
    },
    async clearSiteData(origin) {
      await (await session()).send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    },
    async quit() {
      await context.close();
      await allowNotifications(profile, granted());
    },
    async kill() {
      const ended = new Promise((resolve) => context.once("close", resolve));
      // Chromium's lock on its profile is a link to its host and process id.
      const lock = await readlink(join(profile, "SingletonLock"));
      process.kill(Number(/\d+$/.exec(lock)?.[0]), "SIGKILL");
      await ended;
      await allowNotifications(profile, granted());
    },
    async start() {
      context = await launch();
    },
    copyProfile: () => copyProfile(profile),
    reset: null,
    async close() {
      await context.close();
      await desktop.stop();
      await removeProfile(profile);
    },
  };
}

function tabOf(page: Page): Tab {
  const { lines, complaints } = recordConsole(page);
  return {
    lines,
    complaints,
    url: () => page.url(),
    async goto(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    run: <Argument, Result>(script: Script<Argument, Result>, argument: Argument) =>
      page.evaluate<Result>(callText(script, argument)),
    click: (selector) => page.locator(selector).click(),
    close: () => page.close(),
  };
}
