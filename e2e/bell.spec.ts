/** S1-S3 of docs/specification.md: the control, in a real Chromium. */
import { off, on } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";
import type { Visitor } from "./support/visitor.ts";

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
