/** The bell on somebody's own page, at another origin than the server's. */
import { off, tokenOf } from "./support/bell.ts";
import { contrast } from "./support/contrast.ts";
import { expect, test } from "./support/fixtures.ts";
import { addressOf } from "./support/own-page.ts";

test("registers across origins, and can be reached", async ({
  desktop,
  ownPage: page,
  serve,
  visit,
}) => {
  const server = await serve({ SINETA_ORIGINS: page.url });
  const visitor = await visit({ url: await addressOf(page, server), desktop });
  const token = await tokenOf(visitor);
  expect(visitor.complaints).toEqual([]);
  const sent = await server.run("send", "--to", token, "--title", "De longe", "--body", "Oi");
  expect(sent).toMatchObject({ stdout: expect.stringContaining("1 accepted"), stderr: "" });
  await desktop.notification("De longe");
});

test("looks right where nothing is said of colour schemes, and on either ground", async ({
  ownPage,
  visit,
}) => {
  for (const allows of [false, true]) {
    const { page, bell } = await visit({
      // The bell shows as soon as it has a key. No server answers at this address.
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
});
