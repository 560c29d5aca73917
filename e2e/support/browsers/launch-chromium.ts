import { type BrowserContext, chromium } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import { findChromium } from "../../../scripts/browsers.mjs";
import type { Desktop } from "../desktop.ts";
import { environment } from "../environment.ts";

type Options = Omit<NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>, "args"> & {
  /** Other host names that lead to this machine. */
  hosts: readonly string[];
  /** Of this machine, where those names lead instead of the port that an address has. */
  port?: number | undefined;
  desktop: Desktop | undefined;
};

/**
 * Features that Chromium starts without. Of several such switches it takes the last, so this one names what Playwright's
 * own names as well (1.64, `disabledFeatures`).
 */
const withoutFeatures = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  // Two pages of the address bar, which every window loads beforehand: 2.5 of the 4 CPU seconds that a window takes.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** Starts Chromium on a profile's folder, as a person does who uses the lab's push service. */
export function launchChromium(
  profile: string,
  lab: PushLab,
  { hosts, port, desktop, ...options }: Options,
): Promise<BrowserContext> {
  const switches = lab.chromium.argsFor({ hosts });
  return chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? "/usr/bin/chromium",
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--disable-features=${withoutFeatures.join(",")}`,
      ...(port === undefined ? switches : switches.map((text) => withPort(text, hosts, port))),
    ],
    env: { ...environment(), ...desktop?.environment },
    ...options,
  });
}

function withPort(text: string, hosts: readonly string[], port: number): string {
  return hosts.reduce((rules, host) => rules.replace(`MAP ${host} 127.0.0.1`, `$&:${port}`), text);
}
