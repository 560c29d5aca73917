// The bakery in both browsers, with Node's own test runner; any other would do.
// oxlint-disable typescript/no-floating-promises -- it waits for its tests by itself
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startPushLab, waitForNotification } from "@sineta/push-lab";
import { openChromium, openFirefox } from "@sineta/push-lab/puppeteer";
import { startBakery } from "./start-bakery.js";

let lab;
let bakery;
before(async () => {
  lab = await startPushLab();
});
after(() => lab.close());
// A port of its own makes every test a site of its own, also to a browser that all tests share.
beforeEach(async () => {
  bakery = await startBakery(lab);
});
afterEach(() => bakery.close());

/** A visitor who has asked to be told. */
async function visit(browser) {
  const page = await browser.newPage();
  await page.goto(bakery.url);
  await page.click("button");
  await page.waitForFunction("document.querySelector('[role=status]').textContent !== ''");
  return { page, told: await page.$eval("[role=status]", (status) => status.textContent) };
}

const bread = { title: "Fresh bread", body: "Rye, still warm" };

for (const open of [openChromium, openFirefox]) {
  describe(open.name, () => {
    let browser;
    before(async () => {
      browser = await open(lab);
    });
    after(() => browser.close());

    test("a visitor is told of fresh bread", async () => {
      const { page, told } = await visit(browser);
      assert.equal(told, "We will tell you.");
      assert.deepEqual(await bakery.tell(bread), { sent: 1, gone: 0, failed: 0 });
      const { body } = await waitForNotification(page, { title: "Fresh bread" });
      assert.equal(body, "Rye, still warm");
    });

    test("who has left is forgotten", async () => {
      const { page } = await visit(browser);
      assert.equal(await bakery.subscriptions(), 1);
      const ended = new Promise((resolve) => {
        lab.onEvent(({ type }) => type === "ended" && resolve());
      });
      // The page does not tell the server: it learns it from the push service, which answers 410 once the browser has
      // told it.
      await page.evaluate(async () => {
        const { pushManager } = await navigator.serviceWorker.ready;
        await (await pushManager.getSubscription()).unsubscribe();
      });
      await ended;
      assert.deepEqual(await bakery.tell(bread), { sent: 0, gone: 1, failed: 0 });
      assert.equal(await bakery.subscriptions(), 0);
    });

    test("a push service in trouble makes nobody be forgotten", async () => {
      const { page } = await visit(browser);
      lab.answerNext({ status: 503, headers: { "retry-after": "120" } });
      assert.deepEqual(await bakery.tell(bread), { sent: 0, gone: 0, failed: 1 });
      assert.deepEqual(await bakery.tell(bread), { sent: 1, gone: 0, failed: 0 });
      await waitForNotification(page, bread);
    });

    test("who refuses is left alone", async () => {
      const refused = { permission: { name: "notifications" }, state: "denied" };
      await browser.defaultBrowserContext().setPermission(bakery.url, refused);
      const { told } = await visit(browser);
      assert.equal(told, "Then come by and smell it.");
      assert.equal(await bakery.subscriptions(), 0);
    });
  });
}
