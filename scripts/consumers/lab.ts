/** What a project's test writes with the published lab: compiled, never run. */
import { type Push, PushLabError, startPushLab } from "@sineta/push-lab";
import { expect, test } from "@sineta/push-lab/playwright";
import { openFirefox } from "@sineta/push-lab/puppeteer";

const lab = await startPushLab({ hosts: ["loja.example"] });
export const switches: readonly string[] = lab.chromium.args;
export const push: Push = await lab.nextPush();
export const isOurs = (error: unknown): boolean => error instanceof PushLabError;
// @ts-expect-error a list of switches is no text
export const text: string = lab.chromium.args;

test("a push is shown", async ({ page, lab: shared, notification }) => {
  await page.goto("http://127.0.0.1:8080/");
  await shared.nextPush();
  expect((await notification({ title: "Olá" })).body).toBe("Oi");
  // @ts-expect-error there is no such fixture
  await page.context().lab;
});

const firefox = await openFirefox(lab, { headless: true });
await firefox.newPage();
await firefox.close();
await lab.close();
