import type { BrowserContext, Locator, Page } from "@playwright/test";
import { openProfile, type Profile, type ProfileOptions } from "./browsers/profile.ts";
import { recordConsole } from "./console.ts";
import { recordActions } from "./recorder.ts";

export type VisitorOptions = ProfileOptions & {
  /** The page's address. */
  url: string;
  /** Set for the page's host before it is opened. */
  cookie?: { name: string; value: string };
  /** Whether the person has allowed notifications. Default: yes. */
  allows?: boolean;
  colorScheme?: "light" | "dark";
  viewport?: { width: number; height: number };
  platform?: string;
  touchPoints?: number;
  /** Runs in the page before its own scripts. */
  before?: () => void;
};

export type ShownNotification = { title: string; body: string; icon: string; tag: string };

/** A person in front of a real Chromium, with the page opened. */
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

/** @param profile Must be free. Without one, the visitor gets a new Chromium. */
export async function openVisitor(options: VisitorOptions, profile?: Profile): Promise<Visitor> {
  const { url, cookie, allows = true, viewport, colorScheme } = options;
  const { context, close } = profile ?? (await openProfile(options));
  const page = context.pages()[0] ?? (await context.newPage());
  if (viewport !== undefined) await page.setViewportSize(viewport);
  if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
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
    const isLook = request.url().endsWith("/look");
    const body: unknown = isLook ? request.postData() : request.postDataJSON();
    registrations.push({ method: request.method(), body });
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
