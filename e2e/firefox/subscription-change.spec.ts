/** Firefox tells the worker that its subscription is not what it was: the worker mends it, and the token is kept. */
import { expectRenewed } from "../support/renewal.ts";
import { test } from "../support/fixtures.ts";
import { tokenIn } from "../support/page.ts";

test("a new identity at the push service, with no page open", async ({ browse, lab, serve }) => {
  const server = await serve();
  const browser = await browse({ [new URL(server.url).origin]: "granted" });
  const tab = await browser.open(server.url);
  const token = await tokenIn(tab);
  const before = lab.subscriptions().at(-1)?.endpoint;
  await tab.close();
  lab.firefox.forgetBrowsers();
  await expectRenewed({ lab, server, browser, token, before });
});
