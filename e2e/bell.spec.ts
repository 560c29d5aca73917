/** S1-S14 of docs/specification.md, in a real Chromium, against `sineta serve` and the lab. */
import type { PushLab } from "@sineta/push-lab";
import { expect, test } from "./support/fixtures.ts";
import { freePort, startServer } from "./support/server.ts";
import type { Visitor } from "./support/visitor.ts";

const off = "Habilitar Notificações";
const on = "Desabilitar Notificações";
const noTokenLine = {
  text: "No registration token available. Request permission to generate one.",
  count: 1,
};
const failedLine = { text: "An error occurred while retrieving token.", count: 1 };
const token = expect.stringMatching(/^[\w-]{43}$/);
const setToken = { type: "setToken", payload: token };

/** Only the actions that the seed speaks of; the list of notices has its own. */
async function tokenActions(visitor: Visitor): Promise<unknown[]> {
  const actions = await visitor.actions();
  return actions.filter((action) => JSON.stringify(action).includes("oken"));
}

test.describe("the control", () => {
  test("S1 S2 is one icon button with a grey bell, and its words are Portuguese", async ({
    visit,
  }) => {
    const { page, bell } = await visit({ allows: false });
    await expect(page.getByRole("button")).toHaveCount(1);
    await expect(bell).toHaveAccessibleName(off);
    await expect(bell).toHaveAttribute("type", "button");
    await expect(bell.locator("svg")).toHaveCount(1);
    await expect(bell).toHaveText("");
    await expect(page.locator("html")).toHaveAttribute("lang", "pt-BR");
    expect(saturation(await colour(bell))).toBeLessThan(0.2);
    const box = await bell.boundingBox();
    expect([box?.width, box?.height]).toEqual([44, 44]);

    await bell.hover();
    await expect(page.getByRole("tooltip")).toHaveText(off);
    await expect(page.getByRole("tooltip")).toBeVisible();
  });

  test("S3 is a coloured bell once notifications are on", async ({ visit }) => {
    const { page, bell } = await visit();
    await expect(bell).toHaveAccessibleName(on);
    expect(saturation(await colour(bell))).toBeGreaterThan(0.5);
    await bell.hover();
    await expect(page.getByRole("tooltip")).toHaveText(on);
    await expect(page.getByRole("tooltip")).toBeVisible();
  });

  test("shows its tooltip on keyboard focus, hides it on Escape and on leaving, never cut off", async ({
    visit,
  }) => {
    const { page, bell } = await visit({ viewport: { width: 320, height: 480 } });
    const tooltip = page.getByRole("tooltip");
    await expect(bell).toHaveAccessibleName(on);
    await expect(tooltip).toBeHidden();
    await page.keyboard.press("Tab");
    await expect(bell).toBeFocused();
    await expect(tooltip).toBeVisible();
    const box = await tooltip.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    await page.keyboard.press("Escape");
    await expect(tooltip).toBeHidden();

    await bell.hover();
    await expect(tooltip).toBeVisible();
    await tooltip.hover();
    // The pointer has come to rest on the tooltip: it stays.
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect(tooltip).toBeVisible();
    await page.mouse.move(5, 400);
    await expect(tooltip).toBeHidden();
  });
});

test.describe("availability", () => {
  const host = "sino.example";

  test("S4 S5 there is a bell on an https page", async ({ lab, visit }) => {
    const { server, url } = await startHttpsServer(lab, host);
    try {
      const visitor = await visit({ url, hosts: [host] });
      await expect(visitor.bell).toHaveAccessibleName(on);
      expect(await tokenActions(visitor)).toEqual([setToken]);
      expect(visitor.complaints).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  test("S4 S5 there is none, nor an empty place for it, on an http page", async ({
    server,
    visit,
  }) => {
    const url = server.url.replace("localhost", host);
    const { page, lines, registrations } = await visit({ url, hosts: [host], allows: false });
    await expect(page.getByRole("heading", { name: "Avisos" })).toBeVisible();
    await expect(page.locator(".sineta-bell, button")).toHaveCount(0);
    expect(lines).toEqual([]);
    expect(registrations).toEqual([]);
  });

  test("S5 loopback counts as secure only for a server run for development", async ({
    lab,
    visit,
  }) => {
    const server = await startServer({
      ...lab.serverEnvironment,
      SINETA_PUBLIC_URL: "https://sino.example",
    });
    try {
      const { page } = await visit({ url: server.url });
      await expect(page.getByRole("heading", { name: "Avisos" })).toBeVisible();
      await expect(page.locator(".sineta-bell, button")).toHaveCount(0);
    } finally {
      await server.stop();
    }
  });

  for (const { device, userAgent, platform, touchPoints } of [
    {
      device: "iPhone",
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      platform: "iPhone",
      touchPoints: 5,
    },
    {
      device: "iPad",
      userAgent:
        "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      platform: "iPad",
      touchPoints: 5,
    },
    {
      device: "iPod",
      userAgent:
        "Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Mobile/15E148 Safari/604.1",
      platform: "iPod",
      touchPoints: 5,
    },
    {
      device: "iPad that presents itself as a Mac",
      userAgent:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
      platform: "MacIntel",
      touchPoints: 5,
    },
  ]) {
    test(`S6 there is none in an ${device}`, async ({ lab, visit }) => {
      const { server, url } = await startHttpsServer(lab, host);
      try {
        const visitor = await visit({ url, hosts: [host], userAgent, platform, touchPoints });
        await expect(visitor.page.getByRole("heading", { name: "Avisos" })).toBeVisible();
        await expect(visitor.page.locator(".sineta-bell, button")).toHaveCount(0);
        expect(visitor.lines).toEqual([]);
        expect(visitor.registrations).toEqual([]);
      } finally {
        await server.stop();
      }
    });
  }

  test("S6 there is one on a Mac", async ({ lab, visit }) => {
    const { server, url } = await startHttpsServer(lab, host);
    const userAgent =
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
    try {
      const visitor = await visit({ url, hosts: [host], userAgent, platform: "MacIntel" });
      await expect(visitor.bell).toHaveAccessibleName(on);
    } finally {
      await server.stop();
    }
  });
});

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
    lab,
    visit,
  }) => {
    const server = await startServer(lab.serverEnvironment);
    try {
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
    } finally {
      await server.stop();
    }
  });

  test("S10 the worker's file is missing", async ({ visit, server }) => {
    const visitor = await visit({ allows: false });
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

test.describe("a page load", () => {
  test("keeps the token, and asks the server for it only when it is old", async ({ visit }) => {
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    const before = await tokenActions(visitor);
    await visitor.page.reload();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toEqual(before);
    expect(visitor.registrations).toHaveLength(1);
  });

  test("turns the bell on also when the server's registrations cannot be reached", async ({
    visit,
  }) => {
    const visitor = await visit();
    await expect(visitor.bell).toHaveAccessibleName(on);
    await visitor.context.route("**/registrations", (route) => route.abort());
    await visitor.page.reload();
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(visitor.lines).toEqual([]);
  });

  test("in two tabs at once makes one registration", async ({ lab, server, visit }) => {
    const visitor = await visit({ allows: false });
    await visitor.context.grantPermissions(["notifications"], {
      origin: new URL(server.url).origin,
    });
    const subscribed = lab.subscriptions().length;
    const second = await visitor.context.newPage();
    const answers: Promise<unknown>[] = [];
    visitor.context.on("response", (response) => {
      if (response.url().endsWith("/registrations")) answers.push(response.json());
    });
    await Promise.all([visitor.page.reload(), second.goto(server.url)]);
    await expect(visitor.bell).toHaveAccessibleName(on);
    await expect(second.getByRole("button")).toHaveAccessibleName(on);
    const tokens = (await Promise.all(answers)).map((answer) => JSON.stringify(answer));
    expect(tokens.length).toBeGreaterThan(0);
    expect(new Set(tokens).size).toBe(1);
    expect(lab.subscriptions().length).toBe(subscribed + 1);
  });
});

async function startHttpsServer(lab: PushLab, host: string) {
  const { certPath, keyPath } = await lab.certificateFor([host]);
  const port = await freePort();
  const url = `https://${host}:${port}/`;
  const server = await startServer({
    ...lab.serverEnvironment,
    SINETA_PORT: String(port),
    SINETA_PUBLIC_URL: url,
    SINETA_TLS_CERT: certPath,
    SINETA_TLS_KEY: keyPath,
  });
  return { server, url };
}

function leaveQuestionOpen(): void {
  Reflect.set(window, "questions", 0);
  Object.defineProperty(Notification, "permission", { get: () => "default" });
  Notification.requestPermission = () => {
    Reflect.set(window, "questions", Reflect.get(window, "questions") + 1);
    return new Promise(() => undefined);
  };
}

async function colour(bell: Visitor["bell"]): Promise<number[]> {
  const text = await bell
    .locator("path")
    .first()
    .evaluate((path) => getComputedStyle(path).fill);
  return [...text.matchAll(/\d+/g)].map(Number);
}

/** 0 for a grey, 1 for a pure colour. */
function saturation([red = 0, green = 0, blue = 0]: number[]): number {
  const most = Math.max(red, green, blue);
  return most === 0 ? 0 : (most - Math.min(red, green, blue)) / most;
}
