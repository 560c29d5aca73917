import { openChromium } from "./chromium.ts";
import { openFirefox } from "./firefox.ts";
import type { Browser, BrowserOptions, Engine } from "./port.ts";

/** Opens a real browser of that engine, with a profile of its own. */
export function openBrowser(engine: Engine, options: BrowserOptions): Promise<Browser> {
  return engine === "chromium" ? openChromium(options) : openFirefox(options);
}
