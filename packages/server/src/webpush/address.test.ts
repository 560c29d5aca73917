import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { describe, expect, test } from "vitest";
import { addressNotAllowed, guardLookup, isPublicAddress } from "./address.ts";

describe("isPublicAddress", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "17.57.144.1",
    "100.63.255.255",
    "100.128.0.0",
    "142.250.184.202",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2606:4700:4700::1111",
    "2620:149:a44::1",
    "2a00:1450:4003:80f::200a",
    "3ffe:ffff::1",
  ])("%s may be connected to", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["10.255.255.255", "private"],
    ["100.64.0.1", "CGNAT"],
    ["100.127.255.255", "CGNAT"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "link-local"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.1", "protocol assignments"],
    ["192.0.2.1", "documentation"],
    ["192.88.99.1", "6to4 relay"],
    ["192.168.1.1", "private"],
    ["198.18.0.1", "benchmark"],
    ["198.19.255.255", "benchmark"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::7f00:1", "compatible IPv4"],
    ["::ffff:127.0.0.1", "mapped loopback"],
    ["::ffff:8.8.8.8", "mapped, though public"],
    ["::ffff:a00:1", "mapped private, in hexadecimal"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b::808:808", "NAT64, though public"],
    ["64:ff9b:1::1", "NAT64, local"],
    ["100::1", "discard"],
    ["2001::1", "Teredo"],
    ["2001:0:53aa:64c::1", "Teredo"],
    ["2001:2::1", "benchmark"],
    ["2001:10::1", "ORCHID"],
    ["2001:20::1", "ORCHIDv2"],
    ["2001:db8::1", "documentation"],
    ["2002:7f00:1::", "6to4 of loopback"],
    ["2002:808:808::1", "6to4"],
    ["3fff::1", "documentation"],
    ["5f00::1", "segment routing"],
    ["fc00::1", "unique local"],
    ["fdff::1", "unique local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["2a00:1450::1%eth0", "a zone"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["localhost", "no address"],
    ["0x7f.1", "no address"],
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
