import { PushLabError } from "../errors.ts";

/** The error for a browser that is not there, with what to do about it. */
export function missing(
  browser: "Chromium" | "Firefox",
  variable: string,
  elsewhere: string,
): PushLabError {
  const debianPackage = browser === "Firefox" ? "firefox-esr" : "chromium";
  return new PushLabError(
    "browser-missing",
    `No ${browser} was found: install one (Debian: apt-get install ${debianPackage}; ${elsewhere}), or name one with ` +
      `${variable}=/path/to/${browser.toLowerCase()} or executablePath.`,
  );
}
