/** How it looks, and whether everybody can use it. */
import { on } from "./support/bell.ts";
import { contrast } from "./support/contrast.ts";
import { expect, test } from "./support/fixtures.ts";
import { violationsOn } from "./support/violations.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const state of ["off", "on"] as const) {
    test(`the bell that is ${state}, ${colorScheme}`, async ({ visit }) => {
      const { page, bell } = await visit({ colorScheme, allows: state === "on" });
      if (state === "on") await expect(bell).toHaveAccessibleName(on);
      await expect(bell).toHaveAttribute("aria-busy", "false");
      await expect(bell).toHaveScreenshot(`bell-${state}-${colorScheme}.png`);
      await page.keyboard.press("Tab");
      await expect(bell).toBeFocused();
      const box = (await bell.boundingBox()) ?? { x: 0, y: 0 };
      await expect(page).toHaveScreenshot(`bell-${state}-${colorScheme}-focus.png`, {
        clip: { x: box.x - 6, y: box.y - 6, width: 56, height: 56 },
        mask: [page.getByRole("tooltip")],
      });
    });
  }

  test(`no findings by axe, ${colorScheme}: empty, with a notice, with the tooltip`, async ({
    server,
    visit,
  }) => {
    const visitor = await visit({ colorScheme });
    await expect(visitor.bell).toHaveAccessibleName(on);
    expect(await violationsOn(visitor.page)).toEqual([]);
    await server.run("send", "--title", "Um aviso", "--body", "Com texto", "--link", "/?aviso=1");
    await expect(visitor.page.getByRole("listitem")).toHaveCount(1);
    await visitor.bell.hover();
    await expect(visitor.page.getByRole("tooltip")).toBeVisible();
    expect(await violationsOn(visitor.page)).toEqual([]);
  });
}

for (const state of ["off", "on"] as const) {
  test(`the bell that is ${state}, where colours are forced`, async ({ visit }) => {
    const { page, bell } = await visit({ allows: state === "on" });
    if (state === "on") await expect(bell).toHaveAccessibleName(on);
    await page.emulateMedia({ forcedColors: "active" });
    await expect(bell).toHaveAttribute("aria-busy", "false");
    await expect(bell).toHaveScreenshot(`bell-${state}-forced-colors.png`);
  });
}

test("the bell rings when it turns on, and not for those who want no motion", async ({
  visit,
  server,
}) => {
  const { bell, context } = await visit({ allows: false });
  const animation = () =>
    bell.locator("svg").evaluate((svg) => getComputedStyle(svg).animationName);
  await expect(bell).toHaveAttribute("aria-busy", "false");
  expect(await animation()).toBe("none");
  await context.grantPermissions(["notifications"], { origin: new URL(server.url).origin });
  await bell.click();
  await expect(bell).toHaveAccessibleName(on);
  expect(await animation()).toBe("sineta-bell-ring");
  await bell.page().emulateMedia({ reducedMotion: "reduce" });
  expect(await animation()).toBe("none");
});

test("the contrast of both bells is at least 3:1 on the page, light and dark", async ({
  visit,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const allows of [false, true]) {
      const { bell } = await visit({ colorScheme, allows });
      if (allows) await expect(bell).toHaveAccessibleName(on);
      const [ink, ground] = await bell.evaluate((button) => [
        getComputedStyle(button).color,
        getComputedStyle(button.closest("header") ?? button).backgroundColor,
      ]);
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(3);
    }
  }
});

test("the page can be installed", async ({ server, visit }) => {
  const { context, page } = await visit();
  const session = await context.newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? "{}");
  expect(manifest).toMatchObject({ name: "Sineta", display: "standalone", lang: "pt-BR" });
  for (const { src, type, sizes } of manifest.icons) {
    const icon = await page.request.get(new URL(src, server.url).href);
    expect(icon.headers()["content-type"]).toContain(type);
    if (type === "image/png") {
      const png = await icon.body();
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
  }
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  expect(installabilityErrors).toEqual([]);
});
