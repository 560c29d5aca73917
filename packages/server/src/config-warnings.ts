import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "./config.ts";

/** What an operator should see of settings that can be used, but hardly do what is meant. */
export function configWarnings(config: Config): string[] {
  return [
    ...addressWarnings(config),
    ...pageWarnings(config.origins ?? []),
    ...proxyWarnings(config),
  ];
}

/**
 * Whether other users may read a secret in `.env`.
 * @param path of `.env`
 * @param secrets the settings there that are secret
 */
export function envFileWarnings(path: string, secrets: readonly { variable: string }[]): string[] {
  // Windows has no such modes.
  if (secrets.length === 0 || process.platform === "win32") return [];
  const isReadable = (statSync(path).mode & 0o004) !== 0;
  if (!isReadable || (statSync(dirname(path)).mode & 0o001) === 0) return [];
  const names = secrets.map(({ variable }) => variable).join(" and ");
  return [
    `Other users of this machine may read ${path}, which has ${names}: take that from them with chmod o= ${path}`,
  ];
}

/** Browsers show a bell on secure pages only; on loopback the server may say that its own page counts as one. */
function addressWarnings(config: Config): string[] {
  const { publicUrl, origins } = config;
  if (publicUrl?.protocol === "https:" || config.development) return [];
  if (publicUrl === null && config.tls !== null) return [];
  if (publicUrl !== null && clientTakesForLoopback(publicUrl.hostname)) {
    if (origins === null && listensElsewhere(publicUrl, config)) {
      return [
        `SINETA_PUBLIC_URL is ${publicUrl.origin}, but Sineta listens on port ${config.port}: if that is your ` +
          "page's address, set SINETA_ORIGINS to it and leave SINETA_PUBLIC_URL out.",
      ];
    }
    return [
      `${loopbackSentence([publicUrl.origin])}; Sineta's own page does so only without SINETA_PUBLIC_URL.`,
    ];
  }
  const where = publicUrl?.origin ?? `http://${config.host}`;
  return [
    `The bell will not show at ${where}, because browsers offer push on https pages only: put a proxy with https ` +
      "in front and set SINETA_PUBLIC_URL to its https address, or set SINETA_TLS_CERT and SINETA_TLS_KEY.",
  ];
}

/** What SINETA_PUBLIC_URL meant before there was SINETA_ORIGINS: a page under development that another program serves. */
function listensElsewhere(publicUrl: URL, { port, tls }: Config): boolean {
  return tls === null && port !== 0 && Number(publicUrl.port || 80) !== port;
}

function pageWarnings(origins: readonly string[]): string[] {
  const insecure = origins.filter((origin) => origin.startsWith("http:"));
  const loopback = insecure.filter(isLoopback);
  const others = insecure.filter((origin) => !isLoopback(origin));
  return [
    ...(loopback.length === 0 ? [] : [`${loopbackSentence(loopback)}.`]),
    ...(others.length === 0
      ? []
      : [
          `The bell will not show at ${others.join(", ")}, because browsers offer push on https pages only: serve those ` +
            "pages over https, and name their https addresses in SINETA_ORIGINS.",
        ]),
  ];
}

function loopbackSentence(origins: readonly string[]): string {
  return (
    `For the bell to show at ${origins.join(", ")}, which is not https, the page there must pass ` +
    "allowLoopback: true to createMessaging"
  );
}

/** Https that the server does not speak itself is probably a proxy's: all visitors would have its address. */
function proxyWarnings({ publicUrl, origins, tls, trustedProxies, development }: Config): string[] {
  if (development && origins?.every(isLoopback) === false) {
    return [
      "Pages on other machines cannot reach Sineta on this one's loopback: put a proxy with https in front, and set " +
        "SINETA_PUBLIC_URL to the address under which they reach Sineta.",
    ];
  }
  if (publicUrl?.protocol !== "https:" || tls !== null || trustedProxies.length > 0) return [];
  return [
    `SINETA_PUBLIC_URL is ${publicUrl.origin}, and Sineta serves no https itself. If a proxy does so, set ` +
      "SINETA_TRUSTED_PROXIES to its address, such as loopback for a proxy on this machine: else Sineta cannot tell visitors apart.",
  ];
}

function isLoopback(origin: string): boolean {
  return clientTakesForLoopback(new URL(origin).hostname);
}

/** The very names that `allowLoopback` of @sineta/client admits: browsers hold more of 127.0.0.0/8 to be secure. */
export function clientTakesForLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(hostname);
}
