/** Draws the site's PNG icons from its SVG: `node e2e/icons.ts`, after a change of apps/site/public/icon.svg. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { findChromium } from "../scripts/browsers.mjs";

const folder = fileURLToPath(new URL("../apps/site/public/", import.meta.url));
const svg = await readFile(`${folder}icon.svg`, "utf8");
// A launcher cuts a maskable icon to a shape of its own: no round corners, and the bell inside the safe circle.
const maskable = svg
  .replace(/rx="\d+"/, 'rx="0"')
  .replace(/translate\(88 82\) scale\(14\)/, "translate(124 120) scale(11)");
const icons = [
  { name: "icon-180.png", picture: svg, sizePx: 180 },
  { name: "icon-192.png", picture: svg, sizePx: 192 },
  { name: "icon-512.png", picture: svg, sizePx: 512 },
  { name: "icon-maskable-512.png", picture: maskable, sizePx: 512 },
];

const browser = await chromium.launch({
  executablePath: findChromium() ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage();
for (const { name, picture, sizePx } of icons) {
  await page.setViewportSize({ width: sizePx, height: sizePx });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${sizePx}px;height:${sizePx}px}</style>${picture}`,
  );
  await page.screenshot({ path: folder + name, omitBackground: true });
}
await browser.close();
