/** The visitors' page: what it says beside the bell. */
import { failedLine, noTokenLine, tokenOf } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";
import { violationsOn } from "./support/violations.ts";

const hint = "Toque no sino para receber os avisos neste navegador.";

test("the page points at the bell that stays grey, and no longer once the bell is on", async ({
  lab,
  server,
  visit,
}) => {
  lab.chromium.failRegistrations("QUOTA_EXCEEDED");
  const visitor = await visit({ url: server.url });
  const { page, bell, lines } = visitor;
  await expect.poll(() => lines).toEqual([failedLine]);
  await expect(page.getByText(hint)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  lab.chromium.recover();
  await bell.click();
  await tokenOf(visitor);
  await expect(page.getByText(hint)).toHaveCount(0);
});

test("a visitor who has denied notifications is not told to touch the bell, which would change nothing", async ({
  server,
  visit,
}) => {
  const { page, lines } = await visit({ url: server.url, allows: false });
  await expect.poll(() => lines).toEqual([noTokenLine]);
  expect(await page.evaluate(() => Notification.permission)).toBe("denied");
  await expect(page.getByText(hint)).toHaveCount(0);
});

test("a browser whose bell turns on by itself is never told to touch it", async ({
  server,
  visit,
}) => {
  const visitor = await visit({
    before: () => {
      const look = () => {
        if (document.body?.innerText.includes("Toque")) Reflect.set(window, "wasTold", true);
        requestAnimationFrame(look);
      };
      look();
    },
    url: server.url,
  });
  await tokenOf(visitor);
  expect(await visitor.page.evaluate(() => Reflect.get(window, "wasTold"))).toBeUndefined();
});

test("a server for development leads to the console, and a published one does not", async ({
  serve,
  visit,
}) => {
  const published = await serve({ SINETA_PUBLIC_URL: "https://avisos.example" });
  const { page } = await visit({ url: published.url });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Avisos");
  await expect(page.getByRole("link")).toHaveCount(0);
  const development = await serve();
  await page.goto(development.url);
  await page.getByRole("link", { name: "Abrir o painel" }).click();
  await expect(page).toHaveURL(/\/painel\//);
});
