import { isIP } from "node:net";

import { PushLabError } from "./errors.ts";

const hostName = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/**
 * Host names in lower case, each checked to be a bare name or an IP address. They end up in certificates and in
 * Chromium's resolver rules, where a comma or a space would start a rule of its own.
 *
 * @throws PushLabError `invalid-host`
 */
export function checkedHosts(hosts: readonly string[]): string[] {
  return hosts.map((given) => {
    const host = given.toLowerCase();
    if (isIP(host) !== 0 || hostName.test(host)) return host;
    throw new PushLabError(
      "invalid-host",
      `"${given}" is no host name: give the name alone, without scheme, port or path.`,
    );
  });
}
