import type { Log } from "../log.ts";
import { hostsOf } from "../projects/origins.ts";
import { isConsolePage } from "./site.ts";

/**
 * Tells the operator, once, that the console was asked for at another host than Sineta's own: what is changed there is refused
 * (`cross-site-refused`).
 * @returns to be called with the address of each request for a page
 */
export function logConsoleElsewhere(
  log: Log,
  ownOrigins: ReadonlySet<string>,
): (address: string) => void {
  const ownHosts = hostsOf(ownOrigins);
  let wasTold = false;
  return (address) => {
    if (wasTold) return;
    const { host, pathname } = new URL(address);
    if (ownHosts.has(host) || !isConsolePage(pathname)) return;
    wasTold = true;
    log.warn(
      { host: host.slice(0, 300), own: [...ownOrigins] },
      "the console was asked for at a host that is not Sineta's own, and can change nothing there: open it at Sineta's own address, or set " +
        "SINETA_PUBLIC_URL to the address that operators use; a proxy must hand the Host header on",
    );
  };
}
