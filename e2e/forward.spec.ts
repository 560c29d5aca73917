/**
 * The tab that a click on a notification brings forward, in Chromium. Puppeteer drives it: under Playwright every tab
 * believes that it is in front, and Chromium prerenders no page.
 */
import { openChromium } from "@sineta/push-lab/puppeteer";
import { type Page, TargetType } from "puppeteer-core";
import { environment } from "./support/environment.ts";
import { expect, test } from "./support/fixtures.ts";
import { vapidKeyOf } from "./support/vapid-key.ts";

test("a click brings forward the tab that shows the link, and opens the link if a page is only prerendered", async ({
  desktop,
  lab,
  ownPage: page,
  serve,
}) => {
  const server = await serve({ SINETA_ORIGINS: page.url });
  const query = new URLSearchParams({ server: server.url, vapidKey: await vapidKeyOf(server) });
  const shop = `${page.url}loja?${query}`;
  const promo = `${page.url}promo?${query}`;
  const chromium = await openChromium(lab, { env: { ...environment(), ...desktop.environment } });

  async function open(url: string): Promise<Page> {
    const tab = await chromium.newPage();
    await tab.goto(url);
    await tab.waitForSelector("[data-enabled=true]");
    return tab;
  }
  async function click(title: string, link: string): Promise<void> {
    const words = ["--title", title, "--body", "Oi", "--link", link];
    const sent = await server.run("send", "--to", "all", ...words);
    expect(sent.stdout).toContain("1 accepted");
    desktop.click(await desktop.notification(title));
  }
  const isInFront = (tab: Page) => tab.evaluate(() => document.visibilityState === "visible");
  const addresses = async () => (await chromium.pages()).map((tab) => tab.url());
  /** What the worker sees, prerendered pages among them. */
  async function clients(): Promise<unknown> {
    const target = chromium.targets().find((one) => one.type() === TargetType.SERVICE_WORKER);
    const worker = await target?.worker();
    return worker?.evaluate(
      "clients.matchAll({ includeUncontrolled: true }).then((all) => all.map(({ url }) => url))",
    );
  }

  try {
    const shopTab = await open(shop);
    const other = await open(`${page.url}outra?${query}`);
    expect(await isInFront(shopTab)).toBe(false);
    await click("Loja", shop);
    await expect.poll(() => isInFront(shopTab)).toBe(true);
    expect(await isInFront(other)).toBe(false);

    await shopTab.evaluate((url) => {
      const rules = document.createElement("script");
      rules.type = "speculationrules";
      rules.textContent = JSON.stringify({ prerender: [{ urls: [url], eagerness: "immediate" }] });
      document.head.append(rules);
    }, promo);
    await expect.poll(clients).toContain(promo);
    expect(await addresses()).not.toContain(promo);
    await click("Promoção", promo);
    await expect.poll(addresses).toContain(promo);
    expect((await addresses()).filter((url) => url === shop)).toEqual([shop]);
  } finally {
    await chromium.close();
  }
});
