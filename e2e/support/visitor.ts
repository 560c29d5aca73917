import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import { launchChromium } from "./browsers/launch-chromium.ts";
import { recordConsole } from "./console.ts";
import type { Desktop } from "./desktop.ts";
import { recordActions } from "./recorder.ts";

export type VisitorOptions = {
  lab: PushLab;
  /** The page's address. */
  url: string;
  /** Set for the page's host before it is opened. */
  cookie?: { name: string; value: string };
  /** Whether the person has allowed notifications. Default: yes. */
  allows?: boolean;
  /** Other host names that lead to this machine. */
  hosts?: string[];
  desktop?: Desktop;
  /** Default: true. */
  headless?: boolean;
  colorScheme?: "light" | "dark";
  viewport?: { width: number; height: number };
  /** What the browser says it is. */
  userAgent?: string;
  platform?: string;
  touchPoints?: number;
  /** Runs in the page before its own scripts. */
  before?: () => void;
};

export type ShownNotification = { title: string; body: string; icon: string; tag: string };

/** A person in front of a real Chromium with a profile of its own, with the page opened. */
export type Visitor = {
  context: BrowserContext;
  page: Page;
  bell: Locator;
  /** Lines that the page wrote with `console.log`, each with the number of its arguments. */
  lines: { text: string; count: number }[];
  /** Everything the page wrote as a warning or an error. */
  complaints: string[];
  /** Every action dispatched to the page's shared state, in order. */
  actions: () => Promise<unknown[]>;
  /** Addresses of the requests to the server's registrations, with method and body. */
  registrations: { method: string; body: unknown }[];
  notifications: () => Promise<ShownNotification[]>;
  close: () => Promise<void>;
};

export async function openVisitor(options: VisitorOptions): Promise<Visitor> {
  const { lab, url, cookie, allows = true, hosts = [], desktop, viewport = null } = options;
  const profile = await mkdtemp(join(tmpdir(), "sineta-profile-"));
  const context = await launchChromium(profile, lab, {
    hosts,
    desktop,
    headless: options.headless ?? true,
    viewport: viewport ?? { width: 1280, height: 800 },
    colorScheme: options.colorScheme ?? "light",
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
  });
  let isClosed = false;
  context.once("close", () => {
    isClosed = true;
  });
  async function close() {
    await context.close().catch((error: unknown) => {
      // A browser that ends while it is being closed is closed as well.
      if (!isClosed) throw error;
    });
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  const page = context.pages()[0] ?? (await context.newPage());
  if (allows) await context.grantPermissions(["notifications"], { origin: new URL(url).origin });
  await imitate(context, page, options);
  if (cookie !== undefined) {
    await context.addCookies([{ ...cookie, url: new URL(url).origin }]);
  }
  await page.addInitScript(recordActions);
  if (options.before) await page.addInitScript(options.before);

  const { lines, complaints } = recordConsole(page);
  const registrations: Visitor["registrations"] = [];
  page.on("request", (request) => {
    if (!request.url().includes("/registrations")) return;
    registrations.push({ method: request.method(), body: request.postDataJSON() });
  });
  await page.goto(url);

  return {
    context,
    page,
    bell: page.getByRole("button", { name: "Notificações" }),
    lines,
    complaints,
    registrations,
    actions: () => page.evaluate(() => Reflect.get(window, "recordedActions")),
    notifications: () => page.evaluate(listNotifications),
    close,
  };
}

async function listNotifications(): Promise<ShownNotification[]> {
  const registration = await navigator.serviceWorker.getRegistration("/sineta-push-scope/");
  const shown = (await registration?.getNotifications()) ?? [];
  return shown.map(({ title, body, icon, tag }) => ({ title, body, icon, tag }));
}

/** Another machine, as far as scripts can see. */
async function imitate(context: BrowserContext, page: Page, options: VisitorOptions) {
  const { userAgent, platform, touchPoints } = options;
  if (userAgent === undefined || platform === undefined) return;
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setUserAgentOverride", { userAgent, platform });
  if (touchPoints === undefined) return;
  await session.send("Emulation.setTouchEmulationEnabled", {
    enabled: true,
    maxTouchPoints: touchPoints,
  });
}
