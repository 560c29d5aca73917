import { expect, test } from "vitest";

import { firefoxPreferences } from "./preferences.ts";

const prefsWith = (hosts: readonly string[]) =>
  firefoxPreferences({ port: 4711, proxyPort: 4712, hosts });

test("push goes to the lab's connection, everything beyond loopback to its proxy", () => {
  expect(prefsWith([])).toMatchObject({
    "dom.push.serverURL": "ws://127.0.0.1:4711/",
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 4712,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 4712,
    "network.proxy.no_proxies_on": "",
  });
});

test("played hosts are reached past the proxy, at loopback", () => {
  expect(prefsWith(["Shop.example", "*.cdn.example"])).toMatchObject({
    "network.proxy.no_proxies_on": "shop.example,.cdn.example",
    "network.dns.forceResolve": "127.0.0.1",
  });
});

test.each(["https://shop.example", "shop.example:443", "a,b.example", ""])(
  "%j is no host name",
  (host) => {
    expect(() => prefsWith([host])).toThrow(expect.objectContaining({ code: "invalid-host" }));
  },
);
