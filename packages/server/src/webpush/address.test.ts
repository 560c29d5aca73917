import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { describe, expect, test } from "vitest";
import { addressNotAllowed, guardLookup, isPublicAddress } from "./address.ts";

/** Of IPv6 only 2000::/3 is open: what is refused below it and above it has no open neighbour. */
const none = null;

/**
 * IANA's special-purpose registries for IPv4 and IPv6 and what else is no host's on the internet: first and last
 * address of each block, and the ones just outside, null where these are in another refused block.
 */
const refusedBlocks: readonly [
  block: string,
  what: string,
  first: string,
  last: string,
  below: string | null,
  above: string | null,
][] = [
  ["0.0.0.0/8", "this network", "0.0.0.0", "0.255.255.255", none, "1.0.0.0"],
  ["10.0.0.0/8", "private", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0/10", "CGNAT", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0/8", "loopback", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  [
    "168.63.129.16/32",
    "Azure's platform",
    "168.63.129.16",
    "168.63.129.16",
    "168.63.129.15",
    "168.63.129.17",
  ],
  [
    "169.254.0.0/16",
    "link-local",
    "169.254.0.0",
    "169.254.255.255",
    "169.253.255.255",
    "169.255.0.0",
  ],
  ["172.16.0.0/12", "private", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0/24", "protocols", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0/24", "documentation", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  [
    "192.88.99.0/24",
    "6to4 relays",
    "192.88.99.0",
    "192.88.99.255",
    "192.88.98.255",
    "192.88.100.0",
  ],
  ["192.168.0.0/16", "private", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0/15", "benchmarks", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  [
    "198.51.100.0/24",
    "documentation",
    "198.51.100.0",
    "198.51.100.255",
    "198.51.99.255",
    "198.51.101.0",
  ],
  [
    "203.0.113.0/24",
    "documentation",
    "203.0.113.0",
    "203.0.113.255",
    "203.0.112.255",
    "203.0.114.0",
  ],
  ["224.0.0.0/4", "multicast", "224.0.0.0", "239.255.255.255", "223.255.255.255", none],
  ["240.0.0.0/4", "reserved, broadcast", "240.0.0.0", "255.255.255.255", none, none],
  ["::/128", "unspecified", "::", "0:0:0:0:0:0:0:0", none, none],
  ["::1/128", "loopback", "::1", "0:0:0:0:0:0:0:1", none, none],
  ["::/96", "compatible", "::2", "::ffff:ffff", none, none],
  ["::ffff:0:0/96", "mapped", "::ffff:0.0.0.0", "::ffff:255.255.255.255", none, none],
  ["::ffff:0:0:0/96", "translated", "::ffff:0:0:0", "::ffff:0:ffff:ffff", none, none],
  ["64:ff9b::/96", "NAT64", "64:ff9b::", "64:ff9b::ffff:ffff", none, none],
  [
    "64:ff9b:1::/48",
    "NAT64, local",
    "64:ff9b:1::",
    "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
    none,
    none,
  ],
  ["100::/64", "discard", "100::", "100::ffff:ffff:ffff:ffff", none, none],
  ["100:0:0:1::/64", "dummy", "100:0:0:1::", "100::1:ffff:ffff:ffff:ffff", none, none],
  ["200::/7", "once NSAP", "200::", "3ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  [
    "below 2000::/3",
    "not given out",
    "400::",
    "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    none,
    "2000::",
  ],
  [
    "2001::/23",
    "protocols",
    "2001::",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:200::",
  ],
  ["2001::/32", "Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["2001:1::/126", "port control, TURN, DNS-SD", "2001:1::1", "2001:1::3", none, none],
  ["2001:2::/48", "benchmarks", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", none, none],
  ["2001:3::/32", "AMT", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["2001:4:112::/48", "AS112", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", none, none],
  ["2001:10::/28", "ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["2001:20::/28", "ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["2001:30::/28", "drones", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  [
    "2001:db8::/32",
    "documentation",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::",
  ],
  [
    "2002::/16",
    "6to4",
    "2002::",
    "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2003::",
  ],
  [
    "3fff::/20",
    "documentation",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:1000::",
  ],
  [
    "above 2000::/3",
    "not given out",
    "4000::",
    "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    none,
  ],
  ["5f00::/16", "segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["fc00::/7", "unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["fe80::/10", "link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["fec0::/10", "site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
  ["ff00::/8", "multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", none, none],
];

describe("isPublicAddress", () => {
  test.for(refusedBlocks)("%s (%s) is refused to its last address, and no further", (row) => {
    const [, , first, last, below, above] = row;
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    const outside = [below, above].filter((address) => address !== null);
    expect(outside.filter(isPublicAddress)).toEqual(outside);
  });

  test.each([
    ["1.1.1.1", "somebody's"],
    ["17.57.144.1", "a push service's"],
    ["142.250.184.202", "another's"],
    ["192.31.196.1", "AS112: in the registry, and global"],
    ["192.52.193.1", "AMT, the same"],
    ["192.175.48.1", "AS112 again"],
    ["2001:4860:4860::8888", "somebody's"],
    ["2606:4700:4700::1111", "somebody's"],
    ["2620:149:a44::1", "a push service's"],
    ["2620:4f:8000::1", "AS112"],
    ["2a00:1450:4003:80f::200a", "another's"],
    ["2A00:1450:4003:080F:0000:0000:0000:200A", "the same, spelled out"],
  ])("%s may be connected to: %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ["169.254.169.254", "cloud metadata"],
    ["169.254.170.2", "cloud metadata of a container"],
    ["100.100.100.200", "cloud metadata of another vendor"],
    ["fd00:ec2::254", "cloud metadata"],
    ["::ffff:8.8.8.8", "mapped, though public"],
    ["::ffff:7f00:1", "mapped, in hexadecimal"],
    ["0:0:0:0:0:FFFF:7F00:0001", "mapped, spelled out"],
    ["::127.0.0.1", "compatible"],
    ["64:ff9b::8.8.8.8", "NAT64, though public"],
    ["64:ff9b:1:ffff::127.0.0.1", "NAT64, local"],
    ["2001:0:53aa:64c:0:fbff:80ff:fffe", "Teredo of loopback"],
    ["2002:7f00:1::", "6to4 of loopback"],
    ["2002:808:808::1", "6to4, though public"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["2a00:1450::1%eth0", "a zone"],
    ["[2a00:1450::1]", "no address"],
    ["localhost", "no address"],
    ["0x7f.1", "no address"],
    ["127.1", "no address"],
    ["010.8.8.8", "no address"],
    ["134744072", "no address"],
    ["8.8.8.8 ", "no address"],
    ["8.8.8.8/32", "no address"],
    ["", "no address"],
  ])("%s may not: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

type Looked = { error: NodeJS.ErrnoException | null; address: string | LookupAddress[] };

/** Asks a guarded lookup over a DNS that gives these addresses. */
function ask(addresses: readonly string[], options: { all: boolean }): Promise<Looked> {
  const dns: LookupFunction = (_hostname, asked, callback) => {
    expect(asked.all).toBe(true);
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    callback(null, found);
  };
  return new Promise((resolve) => {
    guardLookup(dns)("push.example", options, (error, address) => {
      resolve({ error, address });
    });
  });
}

describe("guardLookup", () => {
  test("lets public addresses through and leaves the others out", async () => {
    const addresses = ["127.0.0.1", "1.1.1.1", "::1", "2606:4700::1111"];
    const { error, address } = await ask(addresses, { all: true });
    expect(error).toBeNull();
    expect(address).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect((await ask(addresses, { all: false })).address).toBe("1.1.1.1");
  });

  test.each([{ all: true }, { all: false }])("fails where none is left (%j)", async (options) => {
    const { error } = await ask(["10.0.0.1", "::ffff:10.0.0.1"], options);
    expect(error?.code).toBe(addressNotAllowed);
    expect(error?.message).toContain("10.0.0.1");
    expect((await ask([], options)).error?.code).toBe(addressNotAllowed);
  });

  test("hands on the error of a lookup that failed", async () => {
    const failure = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    guardLookup((_hostname, _options, callback) => {
      callback(failure, []);
    })("push.example", { all: true }, resolve);
    expect(await promise).toBe(failure);
  });
});
