/** Whatever tabs are open, a click on a notification shows the page that it links. In Chromium and in Firefox. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tab } from "../support/browsers/port.ts";
import { expect, test } from "../support/fixtures.ts";
import { tokenIn } from "../support/page.ts";
import { vapidKeyOf } from "../support/vapid-key.ts";

test("a click shows the linked page, and opens no second tab of it", async ({
  browse,
  ownPage: page,
  serve,
}) => {
  const server = await serve({ SINETA_ORIGINS: page.url });
  const browser = await browse({ [new URL(page.url).origin]: "granted" });
  const address = (path: string) => {
    const url = new URL(path, page.url);
    url.searchParams.set("server", server.url);
    url.searchParams.set("vapidKey", vapidKey);
    return url.href;
  };
  const vapidKey = await vapidKeyOf(server);
  const first = await browser.open(address("/"));
  const token = await tokenIn(first);

  /** A click on a notice that links this address. Resolves once the browser has taken the notification away. */
  async function click(title: string, link: string): Promise<void> {
    const words = ["--title", title, "--body", "Oi", "--link", link];
    const sent = await server.run("send", "--to", token, ...words);
    expect(sent).toMatchObject({ status: 0, stderr: "" });
    browser.desktop.click(await browser.desktop.notification(title));
    await expect.poll(() => browser.desktop.shown()).toEqual([]);
  }
  const tabsAt = async (link: string) =>
    (await browser.addresses()).filter((one) => one === link).length;
  const moveOn = (tab: Tab, to: string) => tab.run((url) => history.pushState(null, "", url), to);
  /** Holds in Firefox. In Chromium every tab believes so under Playwright: forward.spec has it there. */
  const isInFront = (tab: Tab) =>
    expect
      .poll(() =>
        tab.run(() => document.visibilityState === "visible" && document.hasFocus(), null),
      )
      .toBe(true);

  await test.step("a tab has moved on from the linked page: that page opens, and the tab stays as it is", async () => {
    const link = address("/promo");
    const moved = await browser.open(link);
    await tokenIn(moved);
    await moveOn(moved, address("/conta"));
    await click("Promoção", link);
    await expect.poll(() => tabsAt(link)).toBe(1);
    expect(moved.url()).toBe(address("/conta"));
  });

  await test.step("a tab has moved on to the linked page: it comes forward", async () => {
    const link = address("/novo");
    const moved = await browser.open(address("/antes"));
    await tokenIn(moved);
    await moveOn(moved, link);
    const other = await browser.open(address("/outra"));
    await tokenIn(other);
    await click("Novo", link);
    await isInFront(moved);
    await other.close();
  });

  await test.step("only a frame shows the linked page: it opens in a tab", async () => {
    const link = address("/quadro");
    await first.run(async (url) => {
      const frame = document.createElement("iframe");
      frame.src = url;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
    }, link);
    await click("Quadro", link);
    await expect.poll(() => tabsAt(link)).toBe(1);
  });

  await test.step("a page without Sineta cannot tell what it shows: the linked page opens", async () => {
    await writeFile(join(page.folder, "sem-sineta.html"), "<title>Sem Sineta</title>");
    const link = new URL("/sem-sineta.html", page.url).href;
    const plain = await browser.open(link);
    await moveOn(plain, "/depois");
    await click("Sem Sineta", link);
    await expect.poll(() => tabsAt(link)).toBe(1);
  });

  // By now a wrong second tab of it would have opened, too.
  expect(await tabsAt(address("/novo"))).toBe(1);
});
