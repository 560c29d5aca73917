import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * IPv4 blocks that do not lead to a public host (IANA's special-purpose registry, RFC 6890 and its successors),
 * multicast, and an address that means the own cloud.
 */
const notPublic4: readonly [address: string, prefix: number][] = [
  ["0.0.0.0", 8], // this network, unspecified
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by carriers (CGNAT)
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // Azure's platform, in public space
  ["169.254.0.0", 16], // link-local, cloud metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];

/**
 * In IPv6 only 2000::/3 is given out as global unicast. Everything else is refused by not being in it: loopback,
 * unspecified, mapped IPv4, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard, unique local, link-local, site-local,
 * multicast.
 */
const global6 = blocks([["2000::", 3]], "ipv6");
const notPublic6: readonly [address: string, prefix: number][] = [
  ["2001::", 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: any IPv4 address, private ones too, in another dress
  ["3fff::", 20], // documentation
];

const refused4 = blocks(notPublic4, "ipv4");
const refused6 = blocks(notPublic6, "ipv6");

/** Whether an IP address is one that a push service on the internet can have. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused4.check(address, "ipv4");
    case 6:
      // With a zone (fe80::1%eth0) it is bound to a link, and a BlockList does not read it.
      return (
        !address.includes("%") && global6.check(address, "ipv6") && !refused6.check(address, "ipv6")
      );
    default:
      return false;
  }
}

/** The code of the error that `guardLookup` gives when a name has no address that may be connected to. */
export const addressNotAllowed = "ERR_ADDRESS_NOT_ALLOWED";

/**
 * A lookup that gives public addresses only. It is meant to be the socket's own: what it lets through is what is
 * connected to, with no second question to DNS in between that could be answered differently.
 * @param isAllowed in place of `isPublicAddress`, for tests whose push services are on loopback
 */
export function guardLookup(
  lookup: LookupFunction = systemLookup,
  isAllowed: (address: string) => boolean = isPublicAddress,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const addresses: LookupAddress[] =
        typeof found === "string" ? [{ address: found, family: isIP(found) }] : found;
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const first = allowed[0];
      if (first === undefined) {
        const list = addresses.map(({ address }) => address).join(", ");
        const refusal = new Error(
          `${hostname} resolves to ${list || "nothing"}, which is not public`,
        );
        callback(Object.assign(refusal, { code: addressNotAllowed }), []);
      } else if (options.all === true) {
        callback(null, allowed);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

function blocks(
  list: readonly [address: string, prefix: number][],
  family: "ipv4" | "ipv6",
): BlockList {
  const blockList = new BlockList();
  for (const [address, prefix] of list) blockList.addSubnet(address, prefix, family);
  return blockList;
}
