import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { checkEndpoint, withoutHttpsPort, type EndpointPolicy } from "./endpoint.ts";
import { hostileEndpoints } from "./testing/hostile-endpoints.ts";

const policy: EndpointPolicy = {
  hosts: [
    { host: "push.example.org" },
    { host: "lab.example.org", port: 8443 },
    { host: "jmt17.google.com", port: 9443 },
  ],
  routes: [
    { host: "jmt17.google.com", port: 443, address: "127.0.0.1", addressPort: 5001 },
    { host: "lab.example.org", port: 8443, address: "::1", addressPort: 5002 },
    { host: "routed.example.org", port: 443, address: "127.0.0.1", addressPort: 5003 },
  ],
};

describe("endpoints that browsers really have", () => {
  test.each([
    ["https://fcm.googleapis.com/fcm/send/cYT5-abc:APA91bHz_x", "fcm"],
    ["https://fcm.googleapis.com/wp/cYT5-abc:APA91bHz_x", "fcm"],
    ["https://jmt17.google.com/fcm/send/f3qo8-x:APA91bE", "fcm"],
    ["https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk-x_y", "mozilla"],
    ["https://updates.push.services.mozilla.com/wpush/v1/gAAAAABk==", "mozilla"],
    ["https://updates-stage.push.services.mozilla.com/wpush/v2/gAAAAABk", "mozilla"],
    ["https://web.push.apple.com/QGuQyavXutnMH5ZYSqDkNl", "apple"],
    ["https://api.push.apple.com/3/device/x", "apple"],
    ["https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2bX%3d%3d", "windows"],
    ["https://db5p.notify.windows.com/w/?token=AwYAAAB", "windows"],
  ])("%s", (endpoint, service) => {
    const { origin, host, pathname, search } = new URL(endpoint);
    const checked = checkEndpoint(endpoint, { hosts: [], routes: [] });
    expect(checked).toEqual({
      ok: true,
      target: { service, origin, host, port: 443, path: pathname + search, route: null },
    });
  });
});

describe("hosts that the operator configured", () => {
  test("are allowed at 443, or at the port that was said", () => {
    expect(checkEndpoint("https://push.example.org/p/1?x=y", policy)).toEqual({
      ok: true,
      target: {
        service: "other",
        origin: "https://push.example.org",
        host: "push.example.org",
        port: 443,
        path: "/p/1?x=y",
        route: null,
      },
    });
    expect(checkEndpoint("https://lab.example.org:8443/p/1", policy)).toEqual({
      ok: true,
      target: {
        service: "other",
        origin: "https://lab.example.org:8443",
        host: "lab.example.org",
        port: 8443,
        path: "/p/1",
        route: policy.routes[1],
      },
    });
  });

  test("a known host may have a second port, and keeps 443 with its own route", () => {
    expect(checkEndpoint("https://jmt17.google.com:9443/fcm/send/1", policy)).toMatchObject({
      target: { service: "fcm", port: 9443, route: null },
    });
    expect(checkEndpoint("https://jmt17.google.com/fcm/send/1", policy)).toMatchObject({
      target: { service: "fcm", port: 443, route: policy.routes[0] },
    });
  });

  test("a route alone allows no host", () => {
    expect(checkEndpoint("https://routed.example.org/p", policy)).toEqual({
      ok: false,
      reason: "unknown-host",
    });
  });
});

describe("endpoints that somebody made up", () => {
  test.for(hostileEndpoints)("$name", ({ endpoint, reason }) => {
    expect(checkEndpoint(endpoint, { hosts: [], routes: [] })).toEqual({ ok: false, reason });
    // What is configured opens no door but its own.
    expect(checkEndpoint(endpoint, policy)).toEqual({ ok: false, reason });
  });

  test.for([
    ["a configured host at another port", "https://push.example.org:8443/x", "wrong-port"],
    ["at 443, though another port was said", "https://lab.example.org/x", "wrong-port"],
    ["a known host at neither of its ports", "https://jmt17.google.com:8443/x", "wrong-port"],
    ["below a configured host", "https://sub.push.example.org/x", "unknown-host"],
    ["a configured host with a dot at its end", "https://push.example.org./x", "unknown-host"],
    ["a longer end of it", "https://evilpush.example.org/x", "unknown-host"],
    ["the address of a route", "https://127.0.0.1:5001/x", "ip-address"],
    ["the address of another route", "https://[::1]:5002/x", "ip-address"],
  ])("where hosts are configured: %s", ([, endpoint, reason]) => {
    expect(checkEndpoint(endpoint ?? "", policy)).toEqual({ ok: false, reason });
  });

  test("port 443 is left out, where that is all that a URL parser changes", () => {
    const plain = "https://lab.example.org/p/1?a=b:443/";
    expect(withoutHttpsPort("https://lab.example.org:443/p/1?a=b:443/")).toBe(plain);
    for (const endpoint of [
      plain,
      "https://lab.example.org:8443/p/1",
      "https://lab.example.org:4430/p/1",
      "https://lab.example.org/p:443/1",
      "https://ana:443@evil.example/p",
      "http://lab.example.org:443/p/1",
      "https://lab.example.org:443",
    ]) {
      expect(withoutHttpsPort(endpoint)).toBe(endpoint);
    }
    expect(checkEndpoint("https://fcm.googleapis.com:443/x", policy)).toEqual({
      ok: false,
      reason: "malformed",
    });
  });

  test("2,048 characters are not too long", () => {
    const start = "https://fcm.googleapis.com/";
    expect(checkEndpoint(start + "x".repeat(2048 - start.length), policy).ok).toBe(true);
    expect(checkEndpoint(start + "x".repeat(2049 - start.length), policy).ok).toBe(false);
  });
});

test("what was asked before changes no answer", () => {
  const origins = [
    "https://fcm.googleapis.com",
    "https://lab.example.org:8443",
    "https://push.example.org",
  ];
  const pieces = [
    "/",
    ".",
    "..",
    "%2e",
    "\\",
    "@",
    ":",
    "?",
    "#",
    "\t",
    " ",
    "é",
    "a",
    "-",
    "_",
    "=",
  ];
  const rest = array(oneof(constantFrom(...pieces), string({ maxLength: 3 })), { maxLength: 8 });
  assert(
    property(constantFrom(...origins), constantFrom(...origins), rest, (asked, origin, parts) => {
      const endpoint = origin + parts.join("");
      const askedFirst = checkEndpoint(endpoint, { ...policy });
      expect(checkEndpoint(`${asked}/x`, policy).ok).toBe(true);
      expect(checkEndpoint(endpoint, policy)).toEqual(askedFirst);
      expect(checkEndpoint(endpoint, policy)).toEqual(askedFirst);
    }),
    { numRuns: 5_000 },
  );
});
