// The bakery in Chromium, with Playwright Test.
import { shownNotifications } from "@sineta/push-lab";
import { expect, test as base } from "@sineta/push-lab/playwright";
import { startBakery } from "./start-bakery.js";

const test = base.extend({
  bakery: async ({ lab }, use) => {
    const bakery = await startBakery(lab);
    await use(bakery);
    await bakery.close();
  },
});

test("a visitor is told of fresh bread", async ({ bakery, page, notification }) => {
  await page.goto(bakery.url);
  await page.getByRole("button", { name: "Tell me" }).click();
  await expect(page.getByRole("status")).toHaveText("We will tell you.");

  await bakery.tell({ title: "Fresh bread", body: "Rye, still warm" });
  const { body, tag } = await notification({ title: "Fresh bread" });
  expect([body, tag]).toEqual(["Rye, still warm", "bread"]);
});

test.describe("a visitor who refuses", () => {
  test.use({ pushOptions: { permission: "denied" } });

  test("is left alone", async ({ bakery, page }) => {
    await page.goto(bakery.url);
    await page.getByRole("button", { name: "Tell me" }).click();
    await expect(page.getByRole("status")).toHaveText("Then come by and smell it.");
    expect(await bakery.subscriptions()).toBe(0);
    expect(await shownNotifications(page)).toEqual([]);
  });
});
