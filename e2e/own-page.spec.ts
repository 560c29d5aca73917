/** The bell on somebody's own page, at another origin than the server's. */
import { off, tokenOf } from "./support/bell.ts";
import { contrast } from "./support/contrast.ts";
import { expect, test } from "./support/fixtures.ts";
import { serveOwnPage } from "./support/own-page.ts";
import { freePort } from "./support/server.ts";

test("registers across origins, and can be reached", async ({ desktop, serve, visit }) => {
  const page = await serveOwnPage(await freePort());
  const server = await serve({ SINETA_ORIGINS: page.url });
  try {
    const vapidKey = /B[\w-]{86}/.exec((await server.run("keys")).stdout)?.[0] ?? "";
    const address = new URL(`?${new URLSearchParams({ server: server.url, vapidKey })}`, page.url);
    const visitor = await visit({ url: address.href, desktop });
    const token = await tokenOf(visitor);
    expect(visitor.complaints).toEqual([]);
    const sent = await server.run("send", "--to", token, "--title", "De longe", "--body", "Oi");
    expect(sent).toMatchObject({ stdout: expect.stringContaining("1 accepted"), stderr: "" });
    await desktop.notification("De longe");
  } finally {
    await page.stop();
  }
});

test("looks right where nothing is said of colour schemes, and on either ground", async ({
  visit,
}) => {
  const ownPage = await serveOwnPage(await freePort());
  try {
    for (const allows of [false, true]) {
      const { page, bell } = await visit({
        // A key is all that the bell needs to show; nobody answers at this server.
        url: `${ownPage.url}?server=${ownPage.url}&vapidKey=B${"A".repeat(86)}`,
        allows,
      });
      await expect(bell).toHaveAccessibleName(off);
      if (allows) await bell.evaluate((button) => button.setAttribute("data-enabled", "true"));
      const ink = await bell.evaluate((button) => getComputedStyle(button).color);
      expect(ink).not.toBe("rgb(0, 0, 0)");
      for (const ground of ["rgb(255, 255, 255)", "rgb(18, 18, 18)"]) {
        expect(contrast(ink, ground)).toBeGreaterThanOrEqual(3);
      }
      await bell.hover();
      const tooltip = page.getByRole("tooltip");
      await expect(tooltip).toBeVisible();
      const [words, ground] = await tooltip.evaluate((element) => [
        getComputedStyle(element).color,
        getComputedStyle(element).backgroundColor,
      ]);
      expect(contrast(words, ground)).toBeGreaterThanOrEqual(4.5);
    }
  } finally {
    await ownPage.stop();
  }
});
