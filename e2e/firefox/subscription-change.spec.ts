/** Firefox tells the worker that its subscription is not what it was: the worker mends it, and the token is kept. */
import type { PushLab } from "@sineta/push-lab";
import type { Browser } from "../support/browsers/port.ts";
import { expect, test } from "../support/fixtures.ts";
import { tokenIn } from "../support/page.ts";
import type { SinetaServer } from "../support/server.ts";

test("a new identity at the push service, with no page open", async ({ browse, lab, serve }) => {
  const server = await serve();
  const browser = await browse({ [new URL(server.url).origin]: "granted" });
  const tab = await browser.open(server.url);
  const token = await tokenIn(tab);
  const before = lab.subscriptions().at(-1)?.endpoint;
  await tab.close();
  lab.firefox.forgetBrowsers();
  await expectReached({ lab, server, browser, token, before });
});

test("permission taken and given again", async ({ browse, lab, serve }) => {
  const server = await serve();
  const { origin } = new URL(server.url);
  const browser = await browse({ [origin]: "granted" });
  const tab = await browser.open(server.url);
  const token = await tokenIn(tab);
  const before = lab.subscriptions().at(-1)?.endpoint;
  await browser.decide(origin, "denied");
  await lab.until(() => lab.subscriptions().some((one) => one.endpoint === before && one.ended));
  await browser.decide(origin, "granted");
  await expectReached({ lab, server, browser, token, before });
});

/** By its old token, at the subscription that the worker made, without a page having been loaded. */
async function expectReached(reached: {
  lab: PushLab;
  server: SinetaServer;
  browser: Browser;
  token: string;
  before: string | undefined;
}): Promise<void> {
  const { lab, server, browser, token, before } = reached;
  const renewed = await lab.until(() => {
    const last = lab.subscriptions().at(-1);
    return last !== undefined && last.endpoint !== before && !last.ended && last;
  });
  const send = () => server.run("send", "--to", token, "--title", "Continua", "--body", "Oi");
  // The subscription is at the push service a moment before the server has heard of it.
  await expect.poll(async () => (await send()).stdout).toContain("1 accepted");
  await browser.desktop.notification("Continua");
  expect(lab.pushes().at(-1)?.endpoint).toBe(renewed.endpoint);
}
