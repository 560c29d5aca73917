/** The Firefox that stays open for the next test. */
import { expect, test } from "../support/fixtures.ts";
import { tokenIn } from "../support/page.ts";
import { findScript, isCached, leaveTraces, listTraces, noTraces } from "../support/traces.ts";

test("the next test finds nothing of the one before", async ({ keptBrowsers, lab, server }) => {
  const { origin } = new URL(server.url);
  const browser = await keptBrowsers.take();
  await browser.decide(origin, "granted");
  const tab = await browser.open(server.url);
  const token = await tokenIn(tab);
  await server.run("send", "--to", token, "--title", "Antes", "--body", "Oi");
  await browser.desktop.notification("Antes");
  await tab.run(leaveTraces, null);
  await tab.run(() => console.log("left"), null);
  const traces = await tab.run(listTraces, null);
  expect(traces).toEqual({
    stored: ["left", "left=1", "left", "sineta"],
    workers: 1,
    allowed: true,
  });
  const script = await tab.run(findScript, null);
  expect(await tab.run(isCached, script)).toBe(true);
  await expect.poll(() => browser.said.map(({ text }) => text)).toContain("left");
  const endpoint = lab.subscriptions().at(-1)?.endpoint;

  await keptBrowsers.giveBack(browser);
  await lab.until(() => lab.subscriptions().find((one) => one.endpoint === endpoint)?.ended);

  const next = await keptBrowsers.take();
  expect(next).toBe(browser);
  expect(await next.addresses()).toEqual(["about:blank"]);
  expect(next.desktop.shown()).toEqual([]);
  expect(next.desktop.showings()).toEqual([]);
  expect(next.said).toEqual([]);
  // A page of the site that asks for nothing.
  const later = await next.open(new URL("icon-192.png", server.url).href);
  expect(await later.run(listTraces, null)).toEqual(noTraces);
  expect(await later.run(isCached, script)).toBe(false);
  await keptBrowsers.giveBack(next);
});
