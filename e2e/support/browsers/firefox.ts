import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFirefox as openWithLab } from "@sineta/push-lab/puppeteer";
import type { Browser as Puppet, Page } from "puppeteer-core";
import { recordConsole, recordEverything } from "../console.ts";
import { startDesktop } from "../desktop.ts";
import { environment } from "../environment.ts";
import { copyProfile, removeProfile } from "./profile-copy.ts";
import { recordActions, recordRequests } from "../recorder.ts";
import {
  answerQuestion,
  blockSiteData,
  clearEverything,
  clearSiteData,
  isAsking,
} from "./firefox-window.ts";
import {
  type Browser,
  type BrowserOptions,
  callText,
  type Decision,
  type Said,
  type Script,
  type Tab,
} from "./port.ts";

/** Firefox, driven by puppeteer-core over WebDriver BiDi, without a window. */
export async function openFirefox({
  lab,
  hosts,
}: BrowserOptions): Promise<Browser & { isAsking: () => Promise<boolean> }> {
  const profile = await mkdtemp(join(tmpdir(), "sineta-firefox-"));
  const desktop = await startDesktop();

  const launch = (): Promise<Puppet> =>
    openWithLab(lab, {
      userDataDir: profile,
      // What was decided is in the profile.
      origins: [],
      hosts,
      // The question stands in the browser's own window, which only then can be reached.
      args: ["--remote-allow-system-access"],
      env: { ...environment(), ...desktop.environment },
      extraPrefsFirefox: {
        // Its notifications are to be shown by the desktop, and its question to take an answer at once.
        "alerts.useSystemBackend": true,
        "security.notification_enable_delay": 0,
        // Under WebDriver every tab believes that it has the focus, and none comes forward.
        "focusmanager.testmode": false,
      },
      defaultViewport: { width: 1280, height: 800 },
    });

  let firefox = await launch();

  const said: Said[] = [];

  async function decide(origin: string, decision: Decision): Promise<void> {
    await firefox.defaultBrowserContext().setPermission(origin, {
      permission: { name: "notifications" },
      state: decision === "default" ? "prompt" : decision,
    });
  }

  return {
    engine: "firefox",
    said,
    desktop,
    isAsking: () => isAsking(firefox),
    async open(url) {
      const page = await firefox.newPage();
      recordEverything(page, said);
      await page.evaluateOnNewDocument(recordActions);
      await page.evaluateOnNewDocument(recordRequests);
      const tab = tabOf(page);
      await page.goto(url);
      return tab;
    },
    addresses: async () => (await firefox.pages()).map((page) => page.url()),
    decide,
    // WebDriver BiDi decides as the settings do.
    decideInSettings: decide,
    async answering(_origin, answer, act) {
      await act();
      await answerQuestion(firefox, answer);
    },
    clearSiteData: (origin) => clearSiteData(firefox, origin),
    blockSiteData: (origin, blocked) => blockSiteData(firefox, origin, blocked),
    quit: () => firefox.close(),
    async kill() {
      const running = firefox.process();
      if (!running) throw new Error("Firefox was started by somebody else");
      running.kill("SIGKILL");
      // Puppeteer waits for the end, and puts the profile's preferences back.
      await firefox.close();
    },
    async start() {
      firefox = await launch();
    },
    copyProfile: () => copyProfile(profile),
    async reset() {
      const used = await firefox.pages();
      // The window ends with its last tab.
      await firefox.newPage();
      await Promise.all(used.map((page) => page.close()));
      await clearEverything(firefox);
      desktop.clear();
      said.length = 0;
    },
    async close() {
      await firefox.close();
      await desktop.stop();
      await removeProfile(profile);
    },
  };
}

const withoutGesture =
  "permission may only be requested from inside a short running user-generated";

function tabOf(page: Page): Tab {
  const { lines, complaints } = recordConsole(page);
  return {
    lines,
    // Without what Firefox itself says of a page that asks on load, as the specification has it (S7).
    get complaints() {
      return complaints.filter((text) => !text.includes(withoutGesture));
    },
    url: () => page.url(),
    async goto(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    run: <Argument, Result>(script: Script<Argument, Result>, argument: Argument) =>
      page.evaluate<[], () => Result | Promise<Result>>(callText(script, argument)),
    click: (selector) => page.click(selector),
    close: () => page.close(),
  };
}
