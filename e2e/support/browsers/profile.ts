import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import type { Desktop } from "../desktop.ts";
import { launchChromium } from "./launch-chromium.ts";

export type ProfileOptions = {
  lab: PushLab;
  /** Other host names that lead to this machine. */
  hosts?: string[];
  /** Where those names lead, whatever port an address has. */
  port?: number;
  desktop?: Desktop;
  /** Default: true. */
  headless?: boolean;
  /** What the browser says it is. */
  userAgent?: string;
};

/** A real Chromium with a profile of its own, for one visitor at a time. */
export type Profile = {
  context: BrowserContext;
  /** Leaves one empty page, and nothing of any site, so that the next visitor finds it new. */
  reset: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openProfile(options: ProfileOptions): Promise<Profile> {
  const { lab, hosts = [], port, desktop, headless = true, userAgent } = options;
  const folder = await mkdtemp(join(tmpdir(), "sineta-profile-"));
  const context = await launchChromium(folder, lab, {
    hosts,
    port,
    desktop,
    headless,
    viewport: { width: 1280, height: 800 },
    ...(userAgent !== undefined && { userAgent }),
  });
  let isClosed = false;
  context.once("close", () => {
    isClosed = true;
  });
  const origins = new Set<string>();
  const follow = (page: Page) =>
    page.on("framenavigated", (frame) => origins.add(new URL(frame.url()).origin));
  context.on("page", follow);
  // Chromium opens one page by itself.
  follow(context.pages()[0] ?? (await context.newPage()));

  return {
    context,
    async reset() {
      const used = context.pages();
      const empty = await context.newPage();
      await Promise.all(used.map((page) => page.close()));
      await context.unrouteAll();
      await context.setOffline(false);
      await context.clearPermissions();
      const session = await context.newCDPSession(empty);
      for (const origin of origins)
        await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
      await session.send("Network.clearBrowserCache");
      // Chromium does not end a service worker that Playwright is attached to.
      await session.send("ServiceWorker.enable");
      await session.send("ServiceWorker.stopAllWorkers");
      await session.detach();
      origins.clear();
    },
    async close() {
      await context.close().catch((error: unknown) => {
        // A browser that ends while it is being closed is closed as well.
        if (!isClosed) throw error;
      });
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
