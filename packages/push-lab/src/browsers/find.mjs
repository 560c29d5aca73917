// Where the browsers are that tests and demo drive. Plain JavaScript: in a checkout, set-up runs it on an old Node.
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

/**
 * The path of a Firefox: SINETA_FIREFOX, or the system's.
 *
 * @returns {string | undefined}
 */
export function findFirefox() {
  const named = process.env["SINETA_FIREFOX"];
  if (named) return existsSync(named) ? named : undefined;
  const system = [
    "/usr/bin/firefox-esr",
    "/usr/bin/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ];
  return system.find((path) => existsSync(path));
}

/** @returns {string[]} */
function playwrightChromiums() {
  /** @type {Partial<Record<NodeJS.Platform, string[]>>} */
  const places = { darwin: ["Library", "Caches"], win32: ["AppData", "Local"] };
  const cache = join(homedir(), ...(places[process.platform] ?? [".cache"]), "ms-playwright");
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
