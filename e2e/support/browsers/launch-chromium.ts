import { type BrowserContext, chromium } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import { findChromium } from "../../../scripts/browsers.mjs";
import type { Desktop } from "../desktop.ts";
import { environment } from "../environment.ts";

type Options = Omit<NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>, "args"> & {
  /** Other host names that lead to this machine. */
  hosts: readonly string[];
  desktop: Desktop | undefined;
};

/** Starts Chromium on a profile's folder, as a person does who uses the lab's push service. */
export function launchChromium(
  profile: string,
  lab: PushLab,
  { hosts, desktop, ...options }: Options,
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? "/usr/bin/chromium",
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...lab.chromium.argsFor({ hosts }),
    ],
    env: { ...environment(), ...desktop?.environment },
    ...options,
  });
}
