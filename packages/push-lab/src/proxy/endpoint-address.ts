import { PushLabError } from "../errors.ts";
import { loopbackAddress } from "../listening.ts";

/** Where the pushes for an endpoint really go, for a sender that can be told. */
export type EndpointAddress = {
  /** What to connect to instead of the endpoint's own host and port. */
  readonly host: string;
  readonly port: number;
  /** The endpoint's own host, for TLS's server name and for the Host header. */
  readonly servername: string;
  /** The certificate to trust, PEM. */
  readonly ca: string;
  /** The same for the command line of curl. */
  readonly curl: readonly string[];
};

/**
 * The address of an endpoint of one of the services, as it was given to the page.
 *
 * @throws PushLabError `unknown-endpoint` where it is no address, or at another service
 */
export function endpointAddress(
  endpoint: string,
  {
    services,
    port,
    ca,
    caPath,
  }: { services: readonly string[]; port: number; ca: string; caPath: string },
): EndpointAddress {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !services.includes(url.origin))
    throw new PushLabError(
      "unknown-endpoint",
      `"${endpoint}" is at no push service of the lab's: it plays ${services.join(" and ")}.`,
    );
  const servername = url.hostname;
  return {
    host: loopbackAddress,
    port,
    servername,
    ca,
    curl: ["--cacert", caPath, "--connect-to", `${servername}:443:${loopbackAddress}:${port}`],
  };
}
