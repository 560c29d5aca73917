import { describe, expect, test } from "vitest";
import { checkEndpoint, type EndpointPolicy } from "./endpoint.ts";

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
  test.each([
    // No https.
    ["http://fcm.googleapis.com/fcm/send/x", "not-https"],
    ["ws://updates.push.services.mozilla.com/x", "not-https"],
    ["wss://push.services.mozilla.com/", "not-https"],
    ["ftp://fcm.googleapis.com/x", "not-https"],
    ["file:///etc/passwd", "not-https"],
    ["data:text/plain,fcm.googleapis.com", "not-https"],
    ["javascript:alert(1)", "not-https"],
    ["permanently-removed.invalid", "malformed"],
    ["", "malformed"],
    ["//fcm.googleapis.com/x", "malformed"],
    ["https://", "malformed"],
    // Another host dressed up as a known one.
    ["https://evil.example/fcm.googleapis.com", "unknown-host"],
    ["https://evil.example/?https://fcm.googleapis.com/", "unknown-host"],
    ["https://fcm.googleapis.com.evil.example/x", "unknown-host"],
    ["https://evil-fcm.googleapis.com/x", "unknown-host"],
    ["https://evilpush.apple.com/x", "unknown-host"],
    ["https://notify.windows.com.evil.example/x", "unknown-host"],
    ["https://evilnotify.windows.com/x", "unknown-host"],
    ["https://storage.googleapis.com/bucket", "unknown-host"],
    ["https://googleapis.com/x", "unknown-host"],
    ["https://a.fcm.googleapis.com/x", "unknown-host"],
    ["https://google.com/x", "unknown-host"],
    ["https://a.jmt17.google.com/x", "unknown-host"],
    ["https://push.services.mozilla.com/x", "unknown-host"],
    ["https://apple.com/x", "unknown-host"],
    ["https://sub.push.example.org/x", "unknown-host"],
    ["https://fcm.googleapis.com./x", "unknown-host"],
    ["https://web.push.apple.com./x", "unknown-host"],
    ["https://xn--fm-tlc.googleapis.com/x", "unknown-host"],
    // No names of hosts: DNS has neither empty labels nor labels over 63 characters, nor names over 253.
    ["https://.push.apple.com/x", "unknown-host"],
    ["https://a..push.apple.com/x", "unknown-host"],
    [`https://${"a".repeat(64)}.push.apple.com/x`, "unknown-host"],
    [`https://${"a.".repeat(120)}push.apple.com/x`, "unknown-host"],
    ["https://localhost/x", "unknown-host"],
    ["https://metadata.google.internal/x", "unknown-host"],
    // User info, fragments.
    ["https://fcm.googleapis.com@evil.example/x", "user-info"],
    ["https://fcm.googleapis.com:x@evil.example/x", "user-info"],
    ["https://user@fcm.googleapis.com/x", "user-info"],
    ["https://:password@fcm.googleapis.com/x", "user-info"],
    ["https://@fcm.googleapis.com/x", "malformed"],
    ["https://fcm.googleapis.com/x#y", "fragment"],
    ["https://fcm.googleapis.com/x#", "fragment"],
    ["https://evil.example#@fcm.googleapis.com/x", "fragment"],
    // Other ports.
    ["https://fcm.googleapis.com:8443/x", "wrong-port"],
    ["https://fcm.googleapis.com:22/x", "wrong-port"],
    ["https://fcm.googleapis.com:0/x", "wrong-port"],
    ["https://push.example.org:8443/x", "wrong-port"],
    ["https://lab.example.org/x", "wrong-port"],
    ["https://fcm.googleapis.com:99999/x", "malformed"],
    // IP addresses, however they are written.
    ["https://127.0.0.1/x", "ip-address"],
    ["https://169.254.169.254/latest/meta-data", "ip-address"],
    ["https://8.8.8.8/x", "ip-address"],
    ["https://[::1]/x", "ip-address"],
    ["https://[::ffff:7f00:1]/x", "ip-address"],
    ["https://2130706433/x", "malformed"],
    ["https://0x7f.1/x", "malformed"],
    ["https://127.1/x", "malformed"],
    // What a parser mends, and another would read otherwise.
    ["https:fcm.googleapis.com/x", "malformed"],
    ["https:\\\\fcm.googleapis.com\\x", "malformed"],
    ["https://evil.example\\@fcm.googleapis.com/x", "malformed"],
    ["https://fcm.googleapis.com\\.evil.example/x", "malformed"],
    ["https://FCM.googleapis.com/x", "malformed"],
    ["HTTPS://fcm.googleapis.com/x", "malformed"],
    ["https://fcm.googleapis.com:443/x", "malformed"],
    ["https://fcm.googleapis.com:0443/x", "malformed"],
    ["https://fcm%2egoogleapis.com/x", "malformed"],
    ["https://fcm.googleapis.com%00.evil.example/x", "malformed"],
    ["https://fcm.googleapis.com%2f.evil.example/x", "malformed"],
    ["https://fcm。googleapis。com/x", "malformed"],
    ["https://ｆｃｍ.googleapis.com/x", "malformed"],
    ["https://fсm.googleapis.com/x", "malformed"], // a Cyrillic letter
    ["https://fcm.goo\u00ADgleapis.com/x", "malformed"],
    ["https://fcm.googleapis.com/a b", "malformed"],
    ["https://fcm.googleapis.com/\r\nhost: evil.example", "malformed"],
    [" https://fcm.googleapis.com/x", "malformed"],
    ["https://fcm.google\tapis.com/x", "malformed"],
    ["https://fcm.googleapis.com/x\n", "malformed"],
    ["https://fcm.googleapis.com/a/../../x", "malformed"],
    ["https://fcm.googleapis.com", "malformed"],
    [`https://fcm.googleapis.com/${"x".repeat(2048)}`, "too-long"],
  ])("%j", (endpoint, reason) => {
    expect(checkEndpoint(endpoint, policy)).toEqual({ ok: false, reason });
  });

  test("2,048 characters are not too long", () => {
    const start = "https://fcm.googleapis.com/";
    expect(checkEndpoint(start + "x".repeat(2048 - start.length), policy).ok).toBe(true);
    expect(checkEndpoint(start + "x".repeat(2049 - start.length), policy).ok).toBe(false);
  });
});
