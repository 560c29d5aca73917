/** A server behind proxies that do right and wrong, and a doctor beside it. */
import { rmSync, writeFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  request,
  type IncomingHttpHeaders,
  type RequestListener,
} from "node:http";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { DoctorCheck } from "@sineta/protocol";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { startServer, type RunningServer } from "../server.ts";
import { fakePush } from "../test/fake-push.ts";
import { testPlaces } from "../test/places.ts";
import { makeCertificates, type TestCertificates } from "../webpush/testing/certificates.ts";
import { listen } from "../webpush/testing/push-service.ts";
import { examineFromOutside } from "./examine-from-outside.ts";

const host = "avisos.example.com";

let bench: ReturnType<typeof testPlaces>;
let certificates: TestCertificates;
let server: RunningServer;
let upstream: string;
beforeAll(async () => {
  bench = testPlaces();
  certificates = await makeCertificates([host, "localhost"]);
  server = await serve(bench, {
    SINETA_PUBLIC_URL: `https://${host}`,
    SINETA_TRUSTED_PROXIES: "loopback",
  });
  upstream = server.url;
});
afterAll(async () => {
  await server.stop();
  rmSync(bench.folder, { recursive: true });
});

function serve(
  { folder, places, dataFolder }: ReturnType<typeof testPlaces>,
  settings: Record<string, string>,
): Promise<RunningServer> {
  const environment = { ...settings, SINETA_PORT: "0", SINETA_DATA: dataFolder };
  const { config } = readConfig({ flags: {}, environment, folder });
  const log = createLog("silent", { write: () => undefined });
  return startServer(config, { log, places, sendPush: fakePush().send });
}

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0).toReversed()) await end();
});

/** Answers https with the listener. @returns its port */
async function serveHttps(
  listener: RequestListener,
  shown: Partial<TestCertificates> = certificates,
): Promise<number> {
  const { port, close } = await listen(createServer(shown, listener));
  undo.push(close);
  return port;
}

type Change = (headers: IncomingHttpHeaders) => IncomingHttpHeaders;

/** A proxy that replaces X-Forwarded-For, and then changes the headers further. */
const proxy =
  (change: Change = (headers) => headers, to = upstream): RequestListener =>
  (asked, answer) => {
    const headers = change({ ...asked.headers, "x-forwarded-for": "203.0.113.9" });
    const { method, url: path } = asked;
    const { hostname, port } = new URL(to);
    asked.pipe(
      request({ hostname, port, method, path, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        given.pipe(answer);
      }).on("error", () => answer.destroy()),
    );
  };

const without =
  (...names: string[]): Change =>
  (headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const publicChecks: ReadonlySet<DoctorCheck> = new Set([
  "server",
  "public-url",
  "dns",
  "certificate",
  "proxy",
]);

/** What the doctor says of the way to the server. */
async function examine(
  port: number,
  {
    environment = {},
    ca = certificates.ca,
    addresses = ["127.0.0.1"],
  }: { environment?: Record<string, string>; ca?: string | null; addresses?: string[] } = {},
) {
  const { config, warnings } = readConfig({
    flags: {},
    environment: {
      SINETA_PORT: new URL(upstream).port,
      SINETA_DATA: bench.dataFolder,
      SINETA_PUBLIC_URL: `https://${host}:${port}`,
      SINETA_TRUSTED_PROXIES: "loopback",
      ...environment,
    },
    folder: bench.folder,
  });
  const findings = await examineFromOutside({
    config,
    warnings,
    connect: {
      ...(ca === null ? {} : { ca }),
      lookup: (_name, _options, give) => {
        give(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
      },
    },
    now: Date.now,
  });
  return findings.filter(({ check }) => publicChecks.has(check));
}

const runs = { code: "server-runs", state: "ok" };
const local = { code: "name-local", state: "unknown", subject: host, seen: "127.0.0.1" };
const valid = { code: "certificate-valid", state: "ok", subject: host };
const reached = { code: "public-url-reached", state: "ok" };

test("a proxy that does right", async () => {
  const port = await serveHttps(proxy());
  const origin = `https://${host}:${port}`;
  expect(await examine(port)).toMatchObject([
    { ...runs, subject: new URL(upstream).origin.replace("localhost", "127.0.0.1") },
    { ...reached, subject: origin },
    local,
    valid,
    { code: "proxy-right", state: "ok", subject: origin, seen: "203.0.113.9" },
  ]);
});

const forwarded =
  (value: string): Change =>
  (headers) => ({ ...headers, "x-forwarded-for": value });
const madeUp = "192.0.2.77";

test.for<[string, Change, object]>([
  [
    "hands on the address that a visitor writes",
    forwarded(madeUp),
    { code: "proxy-believes-visitors" },
  ],
  ["sends no address", without("x-forwarded-for"), { code: "proxy-hides-visitors" }],
  [
    "removes headers",
    without("authorization", "idempotency-key"),
    { code: "proxy-drops-headers", seen: "Idempotency-Key, Authorization" },
  ],
  [
    "stands behind another one that no setting names",
    forwarded(`${madeUp}, 203.0.113.9, 203.0.113.10`),
    { code: "proxy-unnamed", seen: "203.0.113.10" },
  ],
  [
    "stands behind another one that hands on what a visitor writes",
    forwarded(`203.0.113.8, ${madeUp}, 127.0.0.2`),
    { code: "proxy-believes-visitors" },
  ],
])("a proxy that %s", async ([, change, expected]) => {
  const port = await serveHttps(proxy(change));
  expect(await examine(port)).toMatchObject([
    runs,
    reached,
    local,
    valid,
    { seen: "127.0.0.1", ...expected, state: "to-do", subject: `https://${host}:${port}` },
  ]);
});

test.for([
  ["adds an address behind a visitor's", `${madeUp}, 203.0.113.9:4711`, "203.0.113.9"],
  ["sees the doctor at the machine's own address", `${madeUp}, 127.0.0.1`, "127.0.0.1"],
  ["has a trusted proxy before it", `${madeUp}, 203.0.113.9, 127.0.0.2`, "203.0.113.9"],
] as const)("a proxy that %s does right", async ([, value, seen]) => {
  const port = await serveHttps(proxy(forwarded(value)));
  expect((await examine(port)).at(-1)).toMatchObject({ code: "proxy-right", seen });
});

test("a proxy that changes the host", async () => {
  const port = await serveHttps(proxy((headers) => ({ ...headers, host: "127.0.0.1:8080" })));
  expect((await examine(port)).at(-1)).toMatchObject({
    code: "proxy-changes-host",
    state: "to-do",
    subject: `${host}:${port}`,
    seen: "127.0.0.1:8080",
  });
});

test("a proxy that hands on the API alone", async () => {
  const forward = proxy();
  const port = await serveHttps((asked, answer) => {
    if (asked.url?.startsWith("/v1/") === true) forward(asked, answer);
    else answer.setHeader("Content-Type", "text/html").end("<h1>The site</h1>");
  });
  expect(await examine(port)).toContainEqual(
    expect.objectContaining({ code: "public-url-partly", state: "to-do", seen: "/sineta-sw.js" }),
  );
});

test("a proxy that the server trusts only after its next start", async () => {
  const second = testPlaces();
  const older = await serve(second, { SINETA_PUBLIC_URL: `https://${host}` });
  undo.push(async () => {
    await older.stop();
    rmSync(second.folder, { recursive: true });
  });
  const port = await serveHttps(proxy((headers) => headers, older.url));
  const found = await examine(port, {
    environment: { SINETA_DATA: second.dataFolder, SINETA_PORT: String(older.port) },
  });
  expect(found.at(-1)).toMatchObject({ code: "proxy-unnamed", seen: "127.0.0.1" });
});

test("a proxy that refuses pictures", async () => {
  const forward = proxy();
  const port = await serveHttps((asked, answer) => {
    if (Number(asked.headers["content-length"] ?? 0) < 100_000) forward(asked, answer);
    else answer.writeHead(413).end();
  });
  expect((await examine(port)).slice(1)).toMatchObject([
    reached,
    local,
    valid,
    { code: "proxy-right" },
    { code: "proxy-refuses-bodies", state: "to-do", seen: "413" },
  ]);
});

test.for<[string, RequestListener, object]>([
  [
    "redirects",
    (_, answer) => answer.writeHead(308, { Location: "https://www.example.com/" }).end(),
    { code: "public-url-redirects", seen: "https://www.example.com" },
  ],
  [
    "is another program",
    (_, answer) => answer.end("<h1>It works!</h1>"),
    { code: "public-url-foreign", seen: "status 200" },
  ],
  [
    "finds no server",
    (_, answer) => answer.writeHead(502).end(),
    { code: "public-url-foreign", seen: "status 502" },
  ],
  ["hangs up", (_, answer) => answer.destroy(), { code: "public-url-silent", seen: "ECONNRESET" }],
])("what answers %s", async ([, listener, expected]) => {
  const port = await serveHttps(listener);
  expect(await examine(port)).toMatchObject([runs, { ...expected, state: "to-do" }, local, valid]);
});

test("what answers changes to another protocol", async () => {
  const { port, close } = await listen(
    createTlsServer(certificates, (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () =>
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
        ),
      );
    }),
  );
  undo.push(close);
  expect((await examine(port)).at(1)).toMatchObject({
    code: "public-url-silent",
    seen: "closed without an answer",
  });
});

test("one of two addresses is silent", async () => {
  const port = await serveHttps(proxy());
  const { close } = await listen(createTcpServer(), { host: "127.0.0.3", port });
  undo.push(close);
  expect(await examine(port, { addresses: ["127.0.0.1", "127.0.0.3"] })).toMatchObject([
    runs,
    reached,
    { ...local, seen: "127.0.0.1, 127.0.0.3" },
    valid,
    { code: "proxy-right" },
  ]);
});

test("the second of two addresses is another program's, with another certificate", async () => {
  const port = await serveHttps(proxy());
  const others = await makeCertificates(["www.example.com"]);
  const { close } = await listen(
    createServer(others, (_, answer) => answer.writeHead(404).end()),
    { host: "127.0.0.3", port },
  );
  undo.push(close);
  const found = await examine(port, {
    ca: `${certificates.ca}\n${others.ca}`,
    addresses: ["127.0.0.1", "127.0.0.3"],
  });
  expect(found.map(({ code }) => code)).toEqual([
    "server-runs",
    "public-url-reached",
    "public-url-foreign",
    "name-local",
    "certificate-valid",
    expect.stringMatching(/^certificate-(elsewhere|untrusted)$/),
    "proxy-right",
  ]);
});

test("the server's own address is another program's", async () => {
  const port = await serveHttps(proxy());
  const program = createHttpServer((_, answer) => answer.end("<h1>It works!</h1>"));
  const other = await listen(program);
  undo.push(other.close);
  const environment = { SINETA_PORT: String(other.port) };
  expect((await examine(port, { environment })).at(0)).toMatchObject({
    code: "server-foreign",
    state: "to-do",
    seen: "status 200",
  });
});

test("a public URL without https", async () => {
  const environment = { SINETA_PUBLIC_URL: `http://${host}:${new URL(upstream).port}` };
  expect((await examine(0, { environment })).map(({ code }) => code)).toEqual([
    "server-runs",
    "public-url-insecure",
    "public-url-reached",
    "name-local",
    "proxy-right",
  ]);
});

test("no public URL on a machine that listens for others", async () => {
  const environment = { SINETA_PUBLIC_URL: "", SINETA_HOST: "0.0.0.0" };
  expect((await examine(0, { environment })).slice(1)).toMatchObject([
    {
      code: "public-url-missing",
      state: "to-do",
      subject: `http://localhost:${new URL(upstream).port}/`,
    },
  ]);
});

test("nothing answers", async () => {
  const port = await serveHttps(proxy());
  await undo.pop()?.();
  expect(await examine(port)).toMatchObject([
    runs,
    { code: "public-url-silent", state: "to-do", seen: "ECONNREFUSED" },
    local,
  ]);
});

test("a certificate of another host", async () => {
  const others = await makeCertificates(["www.example.com"]);
  const port = await serveHttps(proxy(), others);
  expect(await examine(port, { ca: others.ca })).toContainEqual(
    expect.objectContaining({ code: "certificate-elsewhere", seen: "www.example.com" }),
  );
});

test("a certificate of an authority of one's own, and one that is shown alone", async () => {
  const { cert, key } = certificates;
  const untrusted = await serveHttps(proxy());
  const alone = await serveHttps(proxy(), { cert, key });
  expect(await examine(untrusted, { ca: null })).toContainEqual(
    expect.objectContaining({ code: "certificate-untrusted", seen: "SELF_SIGNED_CERT_IN_CHAIN" }),
  );
  expect(await examine(alone, { ca: null })).toContainEqual(
    expect.objectContaining({
      code: "certificate-incomplete",
      seen: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    }),
  );
});

test("a name that no name server knows", async () => {
  const { config, warnings } = readConfig({
    flags: {},
    environment: { SINETA_DATA: bench.dataFolder, SINETA_PUBLIC_URL: `https://${host}` },
    folder: bench.folder,
  });
  const findings = await examineFromOutside({
    config,
    warnings,
    connect: {
      lookup: (_name, _options, give) => {
        give(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
      },
    },
    now: Date.now,
  });
  expect(findings).toContainEqual(
    expect.objectContaining({ code: "name-unknown", state: "to-do", seen: "ENOTFOUND" }),
  );
});

test("a server that serves https itself, before and after its certificate is renewed", async () => {
  const own = testPlaces();
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(own.folder, name));
  const write = (made: TestCertificates) => {
    writeFileSync(cert ?? "", made.cert);
    writeFileSync(key ?? "", made.key);
  };
  write(certificates);
  const tls = { SINETA_TLS_CERT: cert ?? "", SINETA_TLS_KEY: key ?? "" };
  const serving = await serve(own, tls);
  undo.push(async () => {
    await serving.stop();
    rmSync(own.folder, { recursive: true });
  });
  const environment = {
    ...tls,
    SINETA_DATA: own.dataFolder,
    SINETA_PORT: String(serving.port),
    SINETA_PUBLIC_URL: `https://localhost:${serving.port}`,
    SINETA_TRUSTED_PROXIES: "",
  };
  expect(await examine(0, { environment })).toMatchObject([
    runs,
    reached,
    { ...valid, subject: "localhost" },
    { code: "proxy-right", seen: "127.0.0.1" },
  ]);
  write(await makeCertificates(["localhost"]));
  expect(await examine(0, { environment })).toContainEqual(
    expect.objectContaining({ code: "certificate-not-loaded", state: "to-do" }),
  );
});
