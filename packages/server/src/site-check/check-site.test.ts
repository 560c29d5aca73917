import { describe, expect, test, vi } from "vitest";
import { limits, type Finding, type FindingCode } from "@sineta/protocol";
import { startDnsServer } from "../webpush/testing/dns-server.ts";
import { startPrivateListener } from "../webpush/testing/private-listener.ts";
import { createSiteCheck } from "./check-site.ts";
import {
  bell,
  ends,
  goodPages,
  host,
  html,
  mark,
  only,
  png,
  script,
  site,
  vapidKey,
  type Answer,
  type Pages,
} from "./testing/site.ts";

test("a site that has all is found to have it", async () => {
  const { check, origin, asked } = await site(goodPages);
  const ok = (code: FindingCode, reason: string, seen: string | null) => ({
    code,
    state: "ok",
    reason,
    seen,
  });
  expect(await check("/")).toEqual({
    url: `${origin}/`,
    findings: [
      ok("https", "found", origin),
      ok("page-reachable", "found", `${origin}/`),
      ok("bell-found", "found", "/assets/a.js"),
      ok("vapid-key", "found", vapidKey),
      ok("worker-reachable", "found", "/sineta-sw.js"),
      ok("content-security-policy", "none", null),
      ok("mixed-content", "none", null),
      ok("manifest", "found", "Padaria"),
      ok("icons", "found", "192x192, 512x512"),
    ],
  });
  expect(asked.toSorted()).toEqual(Object.keys(goodPages).toSorted());
});

const head = (more: string) => html(`<script src="/assets/a.js"></script>${more}`);
const config = (change: object = {}) =>
  html(
    `<script type="application/json" id="sineta-config">${JSON.stringify({ server: "", project: "default", vapidKey, worker: "/sineta-sw.js", allowLoopback: false, ...change })}</script>`,
  );
const policy = (text: string) => ({ ...head(""), headers: { "Content-Security-Policy": text } });
const manifest = (body: unknown) => ({
  "/": head('<link rel=manifest href="/m.json">'),
  "/m.json": { body: typeof body === "string" ? body : JSON.stringify(body) },
});
const icons = (...list: object[]) => ({ name: "Padaria", icons: list });

describe("what a site lacks is told", () => {
  test.for<[what: string, Pages, Partial<Finding> & { code: FindingCode }]>([
    [
      "a page that is not there",
      { "/": { status: 404 } },
      { code: "page-reachable", state: "missing", reason: "status", seen: "404" },
    ],
    [
      "a page that is no page",
      { "/": png },
      { code: "page-reachable", state: "missing", reason: "content-type-wrong", seen: "image/png" },
    ],
    [
      "a page that is compressed unasked",
      { "/": { ...html(""), headers: { "Content-Encoding": "br" } } },
      { code: "page-reachable", state: "missing", reason: "encoded", seen: "br" },
    ],
    [
      "no bell",
      { "/": html('<script src="/other.js"></script>'), "/other.js": script("1") },
      { code: "bell-found", state: "missing", reason: "not-found", seen: null },
    ],
    [
      "no bell in its own scripts",
      { "/": html('<script src="https://cdn.example/a.js"></script>') },
      {
        code: "bell-found",
        state: "warning",
        reason: "not-looked-at",
        seen: "https://cdn.example/a.js",
      },
    ],
    [
      "a bell written into the page",
      { "/": html(`<script>f("${mark}")</script>`) },
      { code: "bell-found", state: "ok", reason: "found", seen: null },
    ],
    [
      "a bell that is loaded beforehand",
      { "/": html('<link rel="modulepreload" href="/assets/a.js">') },
      { code: "bell-found", state: "ok", seen: "/assets/a.js" },
    ],
    [
      "a bell that is loaded when it is needed",
      {
        "/assets/a.js": script("setTimeout(()=>import(`./bell-1.js`))"),
        "/assets/bell-1.js": bell,
      },
      { code: "bell-found", state: "ok", reason: "found", seen: "/assets/bell-1.js" },
    ],
    [
      "its key, in another script than the bell",
      {
        "/assets/a.js": script(`import{b}from"./b.js";b("${vapidKey}")`),
        "/assets/b.js": script(mark),
      },
      { code: "vapid-key", state: "ok", seen: vapidKey },
    ],
    [
      "a bell that a script in the page imports",
      { "/": html(`<script type="module">import "/assets/b.js"</script>`), "/assets/b.js": bell },
      { code: "bell-found", state: "ok", seen: "/assets/b.js" },
    ],
    [
      "imports are relative to where the script was found",
      {
        "/assets/a.js": { status: 302, headers: { Location: "/moved/a.js" } },
        "/moved/a.js": script('import "./b.js"'),
        "/moved/b.js": bell,
      },
      { code: "bell-found", state: "ok", seen: "/moved/b.js" },
    ],
    [
      "a bell two imports away is not looked at, nor said to be missing",
      {
        "/assets/a.js": script('import "./b.js"'),
        "/assets/b.js": script('import "./c.js"'),
        "/assets/c.js": bell,
      },
      {
        code: "bell-found",
        state: "warning",
        reason: "not-looked-at",
        seen: expect.stringMatching(/\/assets\/c\.js$/),
      },
    ],
    [
      "what was imported, and has no bell",
      { "/assets/a.js": script('import "./b.js"'), "/assets/b.js": script('import "./a.js"') },
      { code: "bell-found", state: "missing", reason: "not-found" },
    ],
    [
      "a configuration",
      { "/": config() },
      { code: "bell-found", state: "ok", seen: "#sineta-config" },
    ],
    [
      "the configuration's key",
      { "/": config() },
      { code: "vapid-key", state: "ok", seen: vapidKey },
    ],
    [
      "another project's key",
      { "/": config({ vapidKey: `B${"x".repeat(86)}` }) },
      { code: "vapid-key", state: "missing", reason: "other-key" },
    ],
    [
      "no key to be seen",
      { "/assets/a.js": script(mark) },
      { code: "vapid-key", state: "warning", reason: "not-found" },
    ],
    [
      "no worker",
      { "/sineta-sw.js": { status: 404 } },
      { code: "worker-reachable", state: "missing", reason: "status", seen: "404" },
    ],
    [
      "a worker elsewhere, as configured",
      { "/": config({ worker: "/w.js" }), "/w.js": script(mark) },
      { code: "worker-reachable", state: "ok", seen: "/w.js" },
    ],
    [
      "a worker of another origin",
      { "/": config({ worker: "https://cdn.example/w.js" }) },
      { code: "worker-reachable", state: "missing", reason: "redirected-elsewhere" },
    ],
    [
      "a worker that is a page",
      { "/sineta-sw.js": html(mark) },
      {
        code: "worker-reachable",
        state: "missing",
        reason: "content-type-wrong",
        seen: "text/html",
      },
    ],
    [
      "a worker behind a redirect",
      { "/sineta-sw.js": { status: 302, headers: { Location: "/w.js" } }, "/w.js": script(mark) },
      { code: "worker-reachable", state: "missing", reason: "redirected", seen: "/w.js" },
    ],
    [
      "somebody else's worker",
      { "/sineta-sw.js": script("1") },
      { code: "worker-reachable", state: "warning", reason: "not-sineta" },
    ],
    [
      "a policy against workers",
      { "/": policy("worker-src 'none'") },
      {
        code: "content-security-policy",
        state: "missing",
        reason: "blocks-worker",
        seen: "worker-src 'none'",
      },
    ],
    [
      "a policy against the server",
      { "/": policy("connect-src 'self'") },
      {
        code: "content-security-policy",
        state: "missing",
        reason: "blocks-connection",
        seen: "connect-src 'self'",
      },
    ],
    [
      "a policy that lets it be",
      { "/": policy("default-src 'self'; connect-src https://avisos.example") },
      { code: "content-security-policy", state: "ok", reason: "found" },
    ],
    [
      "a policy written into the page",
      { "/": head(`<meta http-equiv="content-security-policy" content="worker-src 'none'">`) },
      { code: "content-security-policy", state: "missing", reason: "blocks-worker" },
    ],
    [
      "what it loads in the clear",
      { "/": head('<img src="http://cdn.example/a.png">') },
      {
        code: "mixed-content",
        state: "warning",
        reason: "insecure",
        seen: "http://cdn.example/a.png",
      },
    ],
    [
      "a link in the clear, which loads nothing",
      { "/": head('<link rel="next" href="http://a.example/">') },
      { code: "mixed-content", state: "ok" },
    ],
    ["no manifest", { "/": head("") }, { code: "manifest", state: "warning", reason: "not-found" }],
    [
      "a manifest of another origin",
      { "/": head('<link rel=manifest href="https://cdn.example/m">') },
      { code: "manifest", state: "warning", reason: "not-looked-at" },
    ],
    [
      "a manifest that is not there",
      { "/": head('<link rel=manifest href="/none">') },
      { code: "manifest", state: "warning", reason: "status", seen: "404" },
    ],
    [
      "a manifest that is none",
      manifest("{"),
      { code: "manifest", state: "warning", reason: "malformed" },
    ],
    [
      "a manifest of another shape",
      manifest({ icons: 3 }),
      { code: "manifest", state: "warning", reason: "malformed" },
    ],
    [
      "no icons",
      manifest({}),
      { code: "icons", state: "warning", reason: "not-found", seen: null },
    ],
    [
      "an icon that is not there",
      manifest(icons({ src: "/none.png", sizes: "192x192" })),
      { code: "icons", state: "warning", reason: "status", seen: "/none.png (404)" },
    ],
    [
      "an icon that is no picture",
      manifest(icons({ src: "/sineta-sw.js", sizes: "any" })),
      { code: "icons", state: "warning", reason: "content-type-wrong" },
    ],
    [
      "a size that is not there",
      manifest(icons({ src: "/192.png", sizes: "192x192" })),
      { code: "icons", state: "warning", reason: "not-found", seen: "512x512" },
    ],
    [
      "an icon of any size",
      manifest(icons({ src: "/192.png", sizes: "any" })),
      { code: "icons", state: "ok" },
    ],
  ])("%s", async ([, pages, expected]) => {
    const { check } = await site({ ...goodPages, ...pages });
    expect(only(await check(), expected.code)).toMatchObject([expected]);
  });

  test("a page in the clear; on this machine it counts as secure if the server was told so", async () => {
    const insecure = await site(goodPages, { https: false });
    const { findings } = await insecure.check();
    expect(findings[0]).toMatchObject({ code: "https", state: "missing", reason: "insecure" });
    expect(only({ findings }, "mixed-content")).toEqual([]);
  });

  test("a certificate that nobody vouches for", async () => {
    const { check } = await site(goodPages, { connect: { ca: [] } });
    const { findings } = await check();
    expect(findings).toMatchObject([
      { code: "https", state: "missing", reason: "certificate-invalid" },
      { code: "page-reachable", state: "missing", reason: "certificate-invalid" },
    ]);
  });

  test("a site that nobody serves, and a name that nobody has", async () => {
    const { check } = await site(goodPages);
    await ends.pop()?.();
    expect(only(await check(), "page-reachable")).toMatchObject([{ reason: "connection-failed" }]);
    const dns = await startDnsServer(() => []);
    ends.push(dns.close);
    const nowhere = await site(goodPages, { connect: { lookup: dns.lookup } });
    expect(only(await nowhere.check(), "page-reachable")).toMatchObject([
      { reason: "name-not-resolved" },
    ]);
  });
});

describe("a site that means harm", () => {
  test("that never answers, or drips, is left alone in time", async () => {
    const hangs: Answer = () => undefined;
    const drips: Answer = (response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      const drip = setInterval(() => response.write("<p>"), 5);
      response.once("close", () => clearInterval(drip));
    };
    const dripsWithoutLength: Answer = ({ socket }) => {
      if (socket === null) return;
      socket.on("error", () => undefined);
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n");
      const drip = setInterval(() => socket.write("<p>"), 5);
      socket.once("close", () => clearInterval(drip));
    };
    for (const answer of [hangs, drips, dripsWithoutLength]) {
      const deadlines = { resourceMs: 100, wholeMs: 10_000 };
      const { check } = await site({ ...goodPages, "/": answer }, { deadlines });
      expect(only(await check(), "page-reachable")).toMatchObject([{ reason: "timed-out" }]);
    }
  });

  test("that wants to speak something else is left alone", async () => {
    const upgrades: Answer = ({ socket }) => {
      socket?.on("error", () => undefined);
      socket?.write(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      );
    };
    const { check } = await site({ ...goodPages, "/": upgrades });
    expect(only(await check(), "page-reachable")).toMatchObject([{ reason: "connection-failed" }]);
  });

  test("all of whose parts take their time is left alone as a whole", async () => {
    const slow: Pages = { ...goodPages, "/": html(""), "/sineta-sw.js": () => undefined };
    const deadlines = { resourceMs: 60_000, wholeMs: 300 };
    const { check } = await site(slow, { deadlines });
    expect(only(await check(), "worker-reachable")).toMatchObject([{ reason: "timed-out" }]);
  });

  test("that never ends is read as far as is allowed", async () => {
    let written = 0;
    const endless: Answer = (response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      const more = () => {
        while (!response.destroyed && response.write("<p>".repeat(10_000))) written += 30_000;
      };
      response.on("drain", more);
      more();
    };
    const { check } = await site({ ...goodPages, "/": endless });
    expect(only(await check(), "page-reachable")).toMatchObject([
      { state: "warning", reason: "too-large" },
    ]);
    expect(written).toBeLessThan(16 * 2 ** 20);
  });

  test("whose head never ends", async () => {
    const endless: Answer = (response) => {
      const { socket } = response;
      if (socket === null) return;
      const field = `X-More: ${"x".repeat(1000)}\r\n`;
      socket.write(`HTTP/1.1 200 OK\r\n${field.repeat(1000)}`);
      socket.on("drain", () => {
        socket.write(field.repeat(1000));
      });
      socket.on("error", () => undefined);
    };
    const { check } = await site({ ...goodPages, "/": endless }, { https: false });
    expect(only(await check(), "page-reachable")).toMatchObject([{ state: "missing" }]);
  });

  test("whose page is no page is not read as one", async () => {
    const { check, asked } = await site({
      ...goodPages,
      "/": { ...html('<script src="/assets/a.js"></script>'), type: "image/png" },
    });
    const { findings } = await check();
    expect(findings.map(({ code }) => code)).toEqual(["https", "page-reachable"]);
    expect(asked).toEqual(["/"]);
  });

  test("whose addresses are longer than any are not followed, nor is a base like that", async () => {
    const long = "a".repeat(limits.linkCharacters);
    const { check, asked } = await site({
      ...goodPages,
      "/": html(
        `<base href="/${long}/"><script src="/${long}.js"></script><script src="a.js"></script>` +
          `<link rel=manifest href="/${long}">`,
      ),
    });
    expect(only(await check(), "manifest")).toMatchObject([{ reason: "not-looked-at" }]);
    expect(asked.toSorted()).toEqual(["/", "/a.js", "/sineta-sw.js"]);
  });

  test("whose page names thousands of scripts has few addresses kept", async () => {
    const { check, asked } = await site(
      {
        ...goodPages,
        "/": html(
          Array.from(
            { length: 5_000 },
            (_, index) => `<link rel=modulepreload href=a${index}>`,
          ).join(""),
        ),
      },
      { https: false },
    );
    const parse = vi.spyOn(URL, "parse");
    const { findings } = await check();
    expect(only({ findings }, "bell-found")).toMatchObject([{ reason: "not-looked-at" }]);
    expect(asked.filter((path) => path.startsWith("/a"))).toHaveLength(12);
    expect(parse.mock.calls.length).toBeLessThan(50);
  });

  test("that leads somewhere else is not followed there", async () => {
    const listener = await startPrivateListener();
    ends.push(listener.close);
    for (const target of [
      `http://127.0.0.1:${listener.port}/`,
      `https://${host}:${listener.port}/`,
      `//localhost:${listener.port}/`,
    ]) {
      const away = { status: 302, headers: { Location: target } };
      const { check } = await site({ ...goodPages, "/": away, "/sineta-sw.js": away });
      const { findings } = await check();
      expect(only({ findings }, "page-reachable")).toMatchObject([
        { state: "missing", reason: "redirected-elsewhere" },
      ]);
    }
    expect(listener.connections()).toBe(0);
  });

  test("that leads round and round is followed three times", async () => {
    const round = { status: 307, headers: { Location: "/" } };
    const { check, asked } = await site({ ...goodPages, "/": round });
    expect(only(await check(), "page-reachable")).toMatchObject([{ reason: "too-many-redirects" }]);
    expect(asked).toHaveLength(4);
  });

  test("that names addresses elsewhere for its parts has none of them fetched", async () => {
    const listener = await startPrivateListener();
    ends.push(listener.close);
    const at = `http://127.0.0.1:${listener.port}`;
    const { check } = await site({
      "/": html(
        `<base href="${at}/"><link rel=manifest href="/m"><script src="a.js"></script><script src="${at}/b.js"></script>`,
      ),
    });
    const { findings } = await check();
    expect(only({ findings }, "bell-found")).toMatchObject([{ reason: "not-looked-at" }]);
    expect(listener.connections()).toBe(0);
  });
});

describe("addresses that are not public", () => {
  test("are not connected to, by name or as such, however they are written", async () => {
    const listener = await startPrivateListener();
    ends.push(listener.close);
    for (const addresses of [["127.0.0.1"], ["::1"], ["127.0.0.1", "::1", "10.0.0.1"]]) {
      const dns = await startDnsServer(() => addresses);
      ends.push(dns.close);
      const check = createSiteCheck({
        serverUrl: "https://avisos.example/",
        ownOrigins: new Set(),
        connect: { lookup: dns.lookup },
      });
      for (const name of [host, "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"]) {
        const url = new URL(`http://${name}:${listener.port}/`);
        expect(only(await check(url, { vapidKeys: [] }), "page-reachable")).toMatchObject([
          { state: "unknown", reason: "address-not-allowed" },
        ]);
      }
    }
    expect(listener.connections()).toBe(0);
  });

  test("nor when the name is somewhere else a moment later", async () => {
    const listener = await startPrivateListener();
    ends.push(listener.close);
    const dns = await startDnsServer((_question, turn) => [turn === 0 ? "127.0.0.2" : "127.0.0.1"]);
    ends.push(dns.close);
    const { check, asked } = await site(goodPages, {
      https: false,
      place: { host: "127.0.0.2", port: listener.port },
      connect: { lookup: dns.lookup, isAllowedAddress: (address) => address === "127.0.0.2" },
    });
    const { findings } = await check();
    expect(only({ findings }, "page-reachable")).toMatchObject([{ state: "ok" }]);
    expect(only({ findings }, "worker-reachable")).toMatchObject([
      { state: "unknown", reason: "address-not-allowed" },
    ]);
    expect(asked).toEqual(["/"]);
    expect(listener.connections()).toBe(0);
  });

  test("are where the server's own site may be", async () => {
    const isAllowedAddress = () => false;
    const own = await site(goodPages, { isOwn: true, connect: { isAllowedAddress } });
    expect(only(await own.check(), "page-reachable")).toMatchObject([{ state: "ok" }]);
    const other = await site(goodPages, { connect: { isAllowedAddress } });
    expect(only(await other.check(), "page-reachable")).toMatchObject([
      { state: "unknown", reason: "address-not-allowed" },
    ]);
  });
});
