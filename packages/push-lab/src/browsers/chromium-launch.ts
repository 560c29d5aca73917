import type { PushLab } from "../lab.ts";
import { findChromium } from "./find.mjs";
import { missing } from "./missing.ts";

export type ChromiumLaunch = { readonly executablePath: string; readonly args: string[] };

/**
 * What a driver has to be told to start a Chromium that uses the lab.
 *
 * @param given what the caller asks for; the caller's own switches come first
 * @throws PushLabError `browser-missing`, `invalid-host`
 */
export function chromiumLaunch(
  lab: PushLab,
  given: {
    readonly executablePath?: string | undefined;
    readonly args?: readonly string[] | undefined;
    readonly hosts?: readonly string[] | undefined;
  },
): ChromiumLaunch {
  const executablePath = given.executablePath ?? findChromium();
  if (executablePath === undefined)
    throw missing("Chromium", "SINETA_CHROMIUM", "elsewhere: npx playwright install chromium");
  // Root may start it only without its sandbox.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const ours = lab.chromium.argsFor({ hosts: given.hosts ?? [] });
  return { executablePath, args: [...(given.args ?? []), ...sandbox, ...ours] };
}
