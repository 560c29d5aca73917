/** S4-S6 of docs/specification.md: where there is a bell, and where there is none. */
import { on, setToken, tokenActions } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";
import { serveHttps } from "./support/https.ts";
import { vapidKeyOf } from "./support/vapid-key.ts";

test.describe("availability", () => {
  const host = "sino.example";

  test("S4 S5 there is a bell on an https page", async ({ lab, serve, visit }) => {
    const url = await serveHttps(lab, serve, host);
    const visitor = await visit({ url, hosts: [host] });
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toEqual([setToken]);
    expect(visitor.complaints).toEqual([]);
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
    serve,
    visit,
  }) => {
    const server = await serve({ SINETA_PUBLIC_URL: "https://sino.example" });
    const { page } = await visit({ url: server.url });
    await expect(page.getByRole("heading", { name: "Avisos" })).toBeVisible();
    await expect(page.locator(".sineta-bell, button")).toHaveCount(0);
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
    test(`S6 there is none in an ${device}`, async ({ lab, serve, visit }) => {
      const url = await serveHttps(lab, serve, host);
      const visitor = await visit({ url, hosts: [host], userAgent, platform, touchPoints });
      await expect(visitor.page.getByRole("heading", { name: "Avisos" })).toBeVisible();
      await expect(visitor.page.locator(".sineta-bell, button")).toHaveCount(0);
      expect(visitor.lines).toEqual([]);
      expect(visitor.registrations).toEqual([]);
    });
  }

  // No iPhone runs here. Chromium says of itself what an iPhone says, and the page's address says where it was opened.
  test('appleDevices="home-screen": an iPhone shows the bell only from the Home Screen', async ({
    ownPage,
    serve,
    visit,
  }) => {
    const server = await serve({ SINETA_ORIGINS: ownPage.url });
    const parameters = { server: server.url, vapidKey: await vapidKeyOf(server) };
    const page = `${ownPage.url}?${new URLSearchParams(parameters)}`;
    const visitor = await visit({
      url: `${page}&homeScreen&standalone`,
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
      platform: "iPhone",
      touchPoints: 5,
      before: () =>
        void Object.assign(navigator, { standalone: location.search.includes("standalone") }),
    });
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await tokenActions(visitor)).toEqual([setToken]);
    for (const [query, hint] of [
      ["&homeScreen", "open the page from the Home Screen"],
      ["&standalone", "use another browser"],
    ] as const) {
      await visitor.page.goto(page + query);
      await expect.poll(() => visitor.complaints.at(-1)).toContain(hint);
      await expect(visitor.page.locator(".sineta-bell, button")).toHaveCount(0);
    }
  });

  test("S6 there is one on a Mac", async ({ lab, serve, visit }) => {
    const url = await serveHttps(lab, serve, host);
    const userAgent =
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
    const visitor = await visit({ url, hosts: [host], userAgent, platform: "MacIntel" });
    await expect(visitor.bell).toHaveAccessibleName(on);
  });
});
