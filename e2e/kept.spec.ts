/** The Chromium that stays open for the next visitor. */
import { tokenOf } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";
import { findScript, isCached, leaveTraces, listTraces, noTraces } from "./support/traces.ts";
import { openVisitor } from "./support/visitor.ts";

test("the next visitor finds nothing of the one before", async ({ keptProfiles, lab, server }) => {
  // A page of the site that asks for nothing.
  const url = new URL("icon-192.png", server.url).href;
  const profile = await keptProfiles.take();
  const visitor = await openVisitor({ lab, url: server.url }, profile);
  await tokenOf(visitor);
  const { context } = visitor;
  await visitor.page.evaluate(leaveTraces);
  const traces = await visitor.page.evaluate(listTraces);
  expect(traces).toEqual({
    stored: ["left", "left=1", "left", "sineta"],
    workers: 1,
    allowed: true,
  });
  const script = await visitor.page.evaluate(findScript);
  expect(await visitor.page.evaluate(isCached, script)).toBe(true);
  const endpoint = lab.subscriptions().at(-1)?.endpoint;
  await context.newPage();
  await context.route("**/*", (route) => route.abort());
  await context.setOffline(true);

  await keptProfiles.giveBack(profile);
  expect(context.pages()).toHaveLength(1);
  expect(context.serviceWorkers()).toEqual([]);
  await lab.until(() => lab.subscriptions().find((one) => one.endpoint === endpoint)?.ended);

  const next = await keptProfiles.take();
  expect(next).toBe(profile);
  const { page } = await openVisitor({ lab, url, allows: false }, next);
  expect(await page.evaluate(listTraces)).toEqual(noTraces);
  expect(await page.evaluate(isCached, script)).toBe(false);
  await keptProfiles.giveBack(next);
});
