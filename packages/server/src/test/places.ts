import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SitePlaces } from "../http/site.ts";

export const testPage =
  "<!doctype html><html><head><title>Sineta</title></head><body></body></html>";

/** A new temporary folder with a small built site in it, and a data folder's place. */
export function testPlaces(): { folder: string; dataFolder: string; places: SitePlaces } {
  const folder = mkdtempSync(join(tmpdir(), "sineta-test-"));
  const siteFolder = join(folder, "site");
  mkdirSync(join(siteFolder, "assets"), { recursive: true });
  writeFileSync(join(siteFolder, "index.html"), testPage);
  writeFileSync(
    join(siteFolder, "assets", "index-abc123.js"),
    "console.log('ol\u00e1');\n".repeat(99),
  );
  writeFileSync(join(siteFolder, "assets", "index-abc123.css"), "body{}");
  writeFileSync(join(siteFolder, "manifest.webmanifest"), "{}");
  writeFileSync(join(siteFolder, "icon.svg"), "<svg/>");
  writeFileSync(join(siteFolder, "icon.png"), Buffer.of(0x89, 0x50, 0x4e, 0x47));
  writeFileSync(join(folder, "beside-the-site.txt"), "private");
  const consoleFolder = join(folder, "console");
  mkdirSync(consoleFolder);
  const consolePage = testPage.replace("Sineta", "Console");
  writeFileSync(join(consoleFolder, "index.html"), consolePage);
  mkdirSync(join(consoleFolder, ".vite"));
  writeFileSync(join(consoleFolder, ".vite", "manifest.json"), "{}");
  const referenceFolder = join(folder, "reference");
  mkdirSync(referenceFolder);
  writeFileSync(join(referenceFolder, "reference.js"), "");
  const workerFile = join(folder, "sw.js");
  writeFileSync(workerFile, "self.addEventListener('push', () => {});");
  return {
    folder,
    dataFolder: join(folder, "data"),
    places: { siteFolder, consoleFolder, referenceFolder, workerFile },
  };
}
