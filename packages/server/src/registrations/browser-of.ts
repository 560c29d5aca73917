import { parse } from "bowser";
import type { BrowserName, SystemName } from "@sineta/protocol";

/** As bowser calls them. Others exist, and are `other` here: what few browsers say would tell them apart. */
const browsers: ReadonlyMap<string, BrowserName> = new Map([
  ["Chrome", "chrome"],
  ["Chromium", "chrome"],
  ["Microsoft Edge", "edge"],
  ["Firefox", "firefox"],
  ["Safari", "safari"],
  ["Opera", "opera"],
  ["Samsung Internet for Android", "samsung"],
]);
const systems: ReadonlyMap<string, SystemName> = new Map([
  ["Windows", "windows"],
  ["macOS", "macos"],
  ["Linux", "linux"],
  ["Android", "android"],
  ["iOS", "ios"],
  ["Chrome OS", "chromeos"],
]);

/** Of a header that anybody wrote, so much is read; those of browsers have some 120. */
const readCharacters = 400;

/**
 * What a browser says it is, reduced to a few names: nothing else of the header is kept, and no version. Browsers that
 * call themselves another one (Brave: Chrome; an iPad: a Mac) count as that.
 */
export function browserOf(userAgent: string | undefined): {
  browser: BrowserName;
  system: SystemName;
} {
  const text = userAgent?.slice(0, readCharacters).trim();
  if (text === undefined || text === "") return { browser: "unknown", system: "unknown" };
  const { browser, os } = parse(text);
  return {
    browser: browsers.get(browser.name ?? "") ?? "other",
    system: systems.get(os.name ?? "") ?? "other",
  };
}
