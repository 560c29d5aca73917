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

/** Of headers of usual length: millions of browsers send a few hundred different ones, and each takes some 10 us to read. */
const known = new Map<string, Browser>();
const mostKnown = 500;

type Browser = { readonly browser: BrowserName; readonly system: SystemName };

/**
 * What a browser says it is, reduced to a few names: nothing else of the header is kept, and no version. Browsers that
 * call themselves another one (Brave: Chrome; an iPad: a Mac) count as that.
 */
export function browserOf(userAgent: string | undefined): Browser {
  if (userAgent === undefined) return unknown;
  const before = known.get(userAgent);
  if (before !== undefined) return before;
  const found = read(userAgent.slice(0, readCharacters).trim());
  if (userAgent.length <= readCharacters) {
    if (known.size >= mostKnown) known.clear();
    known.set(userAgent, found);
  }
  return found;
}

const unknown: Browser = { browser: "unknown", system: "unknown" };

function read(text: string): Browser {
  if (text === "") return unknown;
  const { browser, os } = parse(text);
  return {
    browser: browsers.get(browser.name ?? "") ?? "other",
    system: systems.get(os.name ?? "") ?? "other",
  };
}
