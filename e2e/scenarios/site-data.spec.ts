/** The visitor blocks what the site stores. The same in Chromium and in Firefox. */
import { failedLine } from "../support/bell.ts";
import { expect, test } from "../support/fixtures.ts";
import { addressOf } from "../support/own-page.ts";
import { bellButton, bellOf, isOff, isOn } from "../support/page.ts";

test("the bell stays off while site data are blocked, says why, and works once they are allowed", async ({
  browse,
  ownPage,
  serve,
}) => {
  const { origin } = new URL(ownPage.url);
  const server = await serve({ SINETA_ORIGINS: origin });
  const browser = await browse({ [origin]: "granted" });
  await browser.blockSiteData(origin, true);
  const tab = await browser.open(await addressOf(ownPage, server));
  const codes = await tab.run(codesOfEverything, null);
  expect(codes).toEqual({
    getToken: "storage-failed",
    deleteToken: "storage-failed",
    stayOff: "storage-failed",
    joinTopic: "storage-failed",
    leaveTopic: "storage-failed",
    setUser: "storage-failed",
    forget: "storage-failed",
    onMessage: "function",
  });
  await tab.click(bellButton);
  await expect.poll(() => tab.lines).toEqual([failedLine, failedLine]);
  await expect
    .poll(() => tab.complaints.filter((text) => text.startsWith("Sineta: there is no token")))
    .toEqual([
      expect.stringContaining(
        `the browser keeps no data for this page; allow cookies and site data for ${origin} in its settings`,
      ),
    ]);
  expect(await bellOf(tab)).toEqual(isOff);

  await browser.blockSiteData(origin, false);
  await tab.reload();
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
});

/** What each function of the page's messaging object ends with: a code of the catalogue, or a value's type. */
async function codesOfEverything(): Promise<Record<string, string>> {
  const messaging = Reflect.get(window, "messaging");
  const { vapidKey } = messaging;
  const calls: Record<string, () => unknown> = {
    getToken: () => messaging.getToken({ vapidKey }),
    deleteToken: () => messaging.deleteToken(),
    stayOff: () => messaging.deleteToken({ stayOff: true }),
    joinTopic: () => messaging.joinTopic("ofertas"),
    leaveTopic: () => messaging.leaveTopic("ofertas"),
    setUser: () => messaging.setUser("jwt"),
    forget: () => messaging.forget(),
    onMessage: () => messaging.onMessage(() => undefined),
  };
  const codes: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) {
    try {
      codes[name] = typeof (await call());
    } catch (error) {
      codes[name] = Reflect.get(Object(error), "code");
    }
  }
  return codes;
}
