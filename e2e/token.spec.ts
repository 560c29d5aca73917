/** S9 and S10 of docs/specification.md where Chromium differs, or where its tests can do what Firefox's cannot. */
import { failedLine, noTokenLine, off, on, setToken, tokenActions } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";

test("unanswered: nothing is said while the browser's question is open, and a click still asks", async ({
  visit,
}) => {
  // A browser without a window answers its question itself: the open question is the one thing played here.
  const visitor = await visit({ allows: false, before: leaveQuestionOpen });
  await expect(visitor.bell).toHaveAttribute("aria-busy", "true");
  await visitor.bell.click();
  await expect.poll(() => visitor.page.evaluate(() => Reflect.get(window, "questions"))).toBe(2);
  expect(visitor.lines).toEqual([]);
  await expect(visitor.bell).toHaveAccessibleName(off);
});

test("S10 S8 the push service never answers: the line after 20 s; what comes later still turns it on", async ({
  lab,
  visit,
}) => {
  lab.chromium.hangRegistrations();
  const visitor = await visit();
  await expect(visitor.bell).toHaveAttribute("aria-busy", "true");
  await expect.poll(() => visitor.lines, { timeout: 30_000 }).toEqual([failedLine]);
  await expect(visitor.bell).toHaveAttribute("aria-busy", "false");
  await expect(visitor.bell).toHaveAccessibleName(off);
  lab.chromium.recover();
  await expect(visitor.bell).toHaveAccessibleName(on, { timeout: 30_000 });
  expect(await tokenActions(visitor)).toEqual([setToken]);
  expect(visitor.lines).toEqual([failedLine]);
});

test("S10 the worker's file is missing", async ({ visit, server }) => {
  const visitor = await visit({ allows: false });
  await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
  await visitor.context.route("**/sineta-sw.js", (route) => route.fulfill({ status: 404 }));
  await visitor.context.grantPermissions(["notifications"], {
    origin: new URL(server.url).origin,
  });
  await visitor.page.reload();
  await expect.poll(() => visitor.lines).toEqual([noTokenLine, failedLine]);
  await expect(visitor.bell).toHaveAccessibleName(off);
});

function leaveQuestionOpen(): void {
  Reflect.set(window, "questions", 0);
  Object.defineProperty(Notification, "permission", { get: () => "default" });
  Notification.requestPermission = () => {
    Reflect.set(window, "questions", Reflect.get(window, "questions") + 1);
    return new Promise(() => undefined);
  };
}
