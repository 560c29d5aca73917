// Where the browsers are that tests and demo drive.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The path of a Chromium: SINETA_CHROMIUM, the system's, or the newest of Playwright's own.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env["SINETA_CHROMIUM"];
  if (named) return existsSync(named) ? named : undefined;
  const system = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
  return [...system, ...playwrightChromiums()].find((path) => existsSync(path));
}

/** @returns {string[]} */
function playwrightChromiums() {
  const caches = {
    darwin: join(homedir(), "Library", "Caches", "ms-playwright"),
    win32: join(homedir(), "AppData", "Local", "ms-playwright"),
  };
  const cache = caches[process.platform] ?? join(homedir(), ".cache", "ms-playwright");
  if (!existsSync(cache)) return [];
  const inside = [
    ["chrome-linux64", "chrome"],
    ["chrome-linux", "chrome"],
    ["chrome-win64", "chrome.exe"],
    ...["arm64", "x64"].map((arch) => [
      `chrome-mac-${arch}`,
      "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    ]),
  ];
  return readdirSync(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .toSorted((one, other) => Number(other.slice(9)) - Number(one.slice(9)))
    .flatMap((name) => inside.map((parts) => join(cache, name, ...parts)));
}
