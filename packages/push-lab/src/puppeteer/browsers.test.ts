import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { findChromium, findFirefox } from "../browsers/find.mjs";
import { shownNotifications, waitForNotification } from "../browsers/notifications.ts";
import type { LabEvent } from "../events.ts";
import { type PushLab, startPushLab } from "../lab.ts";
import { sealPush, sendOverHttp1 } from "../test/application-server.ts";
import { type PushPage, startPushPage } from "../test/push-page.ts";
import { type BrowserOptions, openChromium, openFirefox } from "./index.ts";

let lab: PushLab;
let site: PushPage;
beforeAll(async () => {
  lab = await startPushLab();
  site = await startPushPage();
});
afterAll(async () => {
  await site.close();
  await lab.close();
});

const browsers: Browser[] = [];
afterEach(async () => {
  await Promise.all(browsers.splice(0).map((browser) => browser.close()));
  vi.unstubAllEnvs();
});

async function visit(browser: Browser, url = site.origin): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

describe.each([
  { open: openChromium, variable: "SINETA_CHROMIUM" },
  { open: openFirefox, variable: "SINETA_FIREFOX" },
])("$open.name", { timeout: 180_000 }, ({ open, variable }) => {
  const start = async (options: BrowserOptions = {}): Promise<Browser> => {
    const browser = await open(lab, options);
    browsers.push(browser);
    return browser;
  };

  test("gives a browser that can be pushed to, calls nobody else, and leaves nothing behind", async () => {
    const temporary = await mkdtemp(join(tmpdir(), "push-lab-test-"));
    vi.stubEnv("TMPDIR", temporary);
    const refused: LabEvent[] = [];
    const stop = lab.onEvent((event) => event.type === "proxy-refused" && refused.push(event));
    const browser = await start();
    expect(await readdir(temporary)).not.toEqual([]);
    const page = await visit(browser);
    const subscription = JSON.parse(String(await page.evaluate("subscribe()")));
    expect(await shownNotifications(page)).toEqual([]);
    await sendOverHttp1(lab, sealPush(subscription, "Hello"));
    const hello = { title: "Hello", body: "", tag: "", icon: "", data: null };
    expect(await waitForNotification(page)).toEqual(hello);
    expect(await shownNotifications(page)).toEqual([hello]);

    await sendOverHttp1(lab, sealPush(subscription, "Again"));
    expect(await waitForNotification(page, { title: "Again" })).toEqual({
      ...hello,
      title: "Again",
    });
    await expect(waitForNotification(page, { title: "Nobody" }, 0)).rejects.toMatchObject({
      code: "notification-missing",
      message: expect.stringMatching(/"Nobody".* within 0 ms; shown were .*"Hello"/),
    });
    expect(refused).toEqual([]);
    stop();
    await browser.close();
    expect(await readdir(temporary)).toEqual([]);
    await rm(temporary, { recursive: true });
  });

  test("plays a visitor who has refused one site, and decided nothing elsewhere", async () => {
    const browser = await start({ permission: "denied", origins: [site.origin] });
    const page = await visit(browser);
    expect(await page.evaluate("Notification.permission")).toBe("denied");
    await expect(page.evaluate("subscribe()")).rejects.toThrow(/denied|permission/i);
    const elsewhere = await visit(browser, site.origin.replace("127.0.0.1", "localhost"));
    expect(await elsewhere.evaluate("Notification.permission")).toBe("default");
  });

  test("is started once more where it crashes as it starts, and once only", async () => {
    const folder = await mkdtemp(join(tmpdir(), "push-lab-crash-"));
    const [crashed, browserCrashing] = [join(folder, "crashed"), join(folder, "browser")];
    const crash = async (always: boolean) => {
      const real = variable === "SINETA_FIREFOX" ? findFirefox() : findChromium();
      const first = always ? "true" : `[ ! -e ${crashed} ]`;
      const lines = ["#!/bin/sh", `if ${first}; then echo once >> ${crashed}; kill -SEGV $$; fi`];
      await writeFile(browserCrashing, [...lines, `exec ${real} "$@"`, ""].join("\n"), {
        mode: 0o755,
      });
    };
    await crash(false);
    const browser = await start({ executablePath: browserCrashing });
    expect(await (await visit(browser)).evaluate("Notification.permission")).toBe("granted");
    expect(await readFile(crashed, "utf8")).toBe("once\n");
    await crash(true);
    await expect(open(lab, { executablePath: browserCrashing })).rejects.toThrow(
      "Failed to launch",
    );
    expect(await readFile(crashed, "utf8")).toBe("once\nonce\nonce\n");
    await rm(folder, { recursive: true });
  });

  test("says what to do where there is no such browser", async () => {
    vi.stubEnv(variable, "/no/such/browser");
    await expect(open(lab)).rejects.toMatchObject({
      code: "browser-missing",
      message: expect.stringContaining(`${variable}=/path/to/`),
    });
  });
});
