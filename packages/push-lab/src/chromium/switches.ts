import { checkedHosts } from "../host-names.ts";
import { loopbackAddress } from "../listening.ts";

/**
 * The switches with which Chromium uses the lab and calls nobody else. It also needs a profile folder of its own
 * (`--user-data-dir`; an incognito window refuses push), and as root `--no-sandbox`.
 *
 * @param hosts other host names to be found on 127.0.0.1, for pages that are not on loopback to the browser
 * @throws PushLabError `invalid-host`
 */
export function chromiumSwitches({
  registrationPort,
  messagePort,
  spkiSha256,
  hosts,
}: {
  registrationPort: number;
  messagePort: number;
  spkiSha256: string;
  hosts: readonly string[];
}): readonly string[] {
  // The first rule that fits a name decides: the played hosts have to stand before the rule that fits everything.
  const rules = [
    ...checkedHosts(hosts).map((host) => `MAP ${host} ${loopbackAddress}`),
    "MAP * ~NOTFOUND",
    "EXCLUDE localhost",
    `EXCLUDE ${loopbackAddress}`,
  ];
  return [
    `--gcm-checkin-url=http://${loopbackAddress}:${registrationPort}/checkin`,
    `--gcm-registration-url=http://${loopbackAddress}:${registrationPort}/c2dm/register3`,
    // Not "localhost": Chromium would try ::1 first, where the lab does not listen.
    `--gcm-mcs-endpoint=https://${loopbackAddress}:${messagePort}`,
    `--ignore-certificate-errors-spki-list=${spkiSha256}`,
    `--host-resolver-rules=${rules.join(" , ")}`,
    // A proxy would resolve names by itself, past the rules above.
    "--no-proxy-server",
  ];
}
