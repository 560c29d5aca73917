/** S7-S14 of docs/specification.md: a token is asked for, in a real Chromium, against `sineta serve` and the lab. */
import { failedLine, noTokenLine, off, on, setToken, tokenActions } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";

test.describe("a token is returned", () => {
  test("S7 S8 S12 on load, without a click, for the public VAPID key", async ({
    lab,
    server,
    visit,
  }) => {
    const keys = await server.run("keys");
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toEqual([setToken]);
    expect(visitor.lines).toEqual([]);
    expect(visitor.complaints).toEqual([]);

    expect(visitor.registrations).toHaveLength(1);
    const vapidKey = lab.subscriptions().at(-1)?.applicationServerKey;
    expect(visitor.registrations[0]?.body).toMatchObject({ vapidKey });
    expect(keys.stdout).toContain(vapidKey);
  });

  test("S8 S11 on every click, which never turns the bell off", async ({ visit }) => {
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    for (const clicks of [1, 2]) {
      await visitor.bell.click();
      await expect.poll(() => visitor.registrations.length).toBe(1 + clicks);
      await expect.poll(() => tokenActions(visitor)).toHaveLength(1 + clicks);
      await expect(visitor.bell).toHaveAccessibleName(on);
    }
    expect(
      new Set((await tokenActions(visitor)).map((action) => JSON.stringify(action))).size,
    ).toBe(1);
    expect(visitor.registrations.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
    expect(visitor.lines).toEqual([]);
  });

  test("S8 on a click, once it is allowed", async ({ server, visit }) => {
    const visitor = await visit({ allows: false });
    await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
    await visitor.context.grantPermissions(["notifications"], {
      origin: new URL(server.url).origin,
    });
    await visitor.bell.click();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toEqual([setToken]);
  });
});

test.describe("no token is returned", () => {
  test("S9 S14 refused: the line, on load and on every click, and the bell stays off", async ({
    visit,
  }) => {
    const visitor = await visit({ allows: false });
    await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
    await visitor.bell.click();
    await expect.poll(() => visitor.lines).toEqual([noTokenLine, noTokenLine]);
    await expect(visitor.bell).toHaveAccessibleName(off);
    expect(await tokenActions(visitor)).toEqual([]);
    expect(visitor.registrations).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test("S9 S11 withdrawn: the line, and the bell stays on until the page is loaded again", async ({
    visit,
  }) => {
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    await visitor.context.clearPermissions();
    await visitor.bell.click();
    await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toHaveLength(1);
    await visitor.page.reload();
    await expect.poll(() => visitor.lines).toEqual([noTokenLine, noTokenLine]);
    await expect(visitor.bell).toHaveAccessibleName(off);
  });

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
});

test.describe("retrieving the token fails", () => {
  test("S10 the push service refuses: the line; a later click turns the bell on", async ({
    lab,
    visit,
  }) => {
    lab.chromium.failRegistrations("QUOTA_EXCEEDED");
    const visitor = await visit();
    await expect.poll(() => visitor.lines).toEqual([failedLine]);
    await expect(visitor.bell).toHaveAccessibleName(off);
    expect(await tokenActions(visitor)).toEqual([]);
    lab.chromium.recover();
    await visitor.bell.click();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(visitor.lines).toEqual([failedLine]);
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

  test("S10 S11 the server is down: the line, and the state stays as it was", async ({
    serve,
    visit,
  }) => {
    const server = await serve();
    const visitor = await visit({ url: server.url });
    await expect(visitor.bell).toHaveAccessibleName(on);
    await server.kill();
    await visitor.bell.click();
    await expect.poll(() => visitor.lines).toEqual([failedLine]);
    await expect(visitor.bell).toHaveAccessibleName(on);

    await server.start();
    await visitor.bell.click();
    await expect.poll(() => tokenActions(visitor)).toEqual([setToken, setToken]);
    const [first, second] = await tokenActions(visitor);
    expect(second).toEqual(first);
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

  test("S13 the page says nothing of permission or failure", async ({ lab, visit }) => {
    lab.chromium.failRegistrations("INVALID_SENDER");
    const visitor = await visit();
    const dialogs: string[] = [];
    visitor.page.on("dialog", (dialog) => dialogs.push(dialog.message()));
    await expect.poll(() => visitor.lines).toEqual([failedLine]);
    await visitor.bell.click();
    await expect.poll(() => visitor.lines).toEqual([failedLine, failedLine]);
    const text = await visitor.page.locator("body").innerText();
    expect(text).toContain("Tudo tranquilo por aqui");
    expect(text).not.toMatch(/permiss|permit|erro|falh|fail|bloque/i);
    expect(dialogs).toEqual([]);
  });
});

function leaveQuestionOpen(): void {
  Reflect.set(window, "questions", 0);
  Object.defineProperty(Notification, "permission", { get: () => "default" });
  Notification.requestPermission = () => {
    Reflect.set(window, "questions", Reflect.get(window, "questions") + 1);
    return new Promise(() => undefined);
  };
}
