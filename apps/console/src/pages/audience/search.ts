import type { PushServiceName, RegistrationState, BrowserName, SystemName } from "@sineta/protocol";

/** What stands in the address of this page: what is shown, all of it given must hold. */
export type AudienceSearch = {
  state?: RegistrationState;
  browser?: BrowserName;
  system?: SystemName;
  language?: string;
  pushService?: PushServiceName;
  topic?: string;
  user?: string;
};

export const states: readonly RegistrationState[] = ["live", "left", "gone", "removed"];
export const browsers: readonly BrowserName[] = [
  "chrome",
  "edge",
  "firefox",
  "safari",
  "opera",
  "samsung",
  "other",
  "unknown",
];
export const systems: readonly SystemName[] = [
  "windows",
  "macos",
  "linux",
  "android",
  "ios",
  "chromeos",
  "other",
  "unknown",
];
export const pushServices: readonly PushServiceName[] = [
  "fcm",
  "mozilla",
  "apple",
  "windows",
  "other",
];

/** What an address says that there is not is left out. */
export function validateAudienceSearch(search: Record<string, unknown>): AudienceSearch {
  const state = oneOf(states, search["state"]);
  const browser = oneOf(browsers, search["browser"]);
  const system = oneOf(systems, search["system"]);
  const pushService = oneOf(pushServices, search["pushService"]);
  const language = text(search["language"]);
  const topic = text(search["topic"]);
  const user = text(search["user"]);
  return {
    ...(state === undefined ? {} : { state }),
    ...(browser === undefined ? {} : { browser }),
    ...(system === undefined ? {} : { system }),
    ...(pushService === undefined ? {} : { pushService }),
    ...(language !== undefined && /^([a-z]{2,3}|other|unknown)$/.test(language)
      ? { language }
      : {}),
    ...(topic === undefined ? {} : { topic }),
    ...(user === undefined ? {} : { user }),
  };
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((each) => each === value);
}

/** The router reads digits in an address as a number. */
function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
