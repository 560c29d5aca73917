/** A server behind proxies that do right and wrong, and a doctor beside it. */
import { rmSync, writeFileSync } from "node:fs";
import { request, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
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

test.for<[string, Change, object]>([
  [
    "hands on the address that a visitor writes",
    (headers) => ({ ...headers, "x-forwarded-for": "192.0.2.77" }),
    { code: "proxy-believes-visitors", seen: "127.0.0.1" },
  ],
  [
    "sends no address",
    without("x-forwarded-for"),
    { code: "proxy-hides-visitors", seen: "127.0.0.1" },
  ],
  [
    "removes headers",
    without("authorization", "idempotency-key"),
    { code: "proxy-drops-headers", seen: "Idempotency-Key, Authorization" },
  ],
])("a proxy that %s", async ([, change, expected]) => {
  const port = await serveHttps(proxy(change));
  expect(await examine(port)).toMatchObject([
    runs,
    reached,
    local,
    valid,
    { ...expected, state: "to-do", subject: `https://${host}:${port}` },
  ]);
});

test("a proxy that adds its own address behind a visitor's does right", async () => {
  const port = await serveHttps(
    proxy((headers) => ({ ...headers, "x-forwarded-for": "192.0.2.77, 203.0.113.9:4711" })),
  );
  expect((await examine(port)).at(-1)).toMatchObject({ code: "proxy-right", seen: "203.0.113.9" });
});

test("a proxy that no setting names", async () => {
  const port = await serveHttps(proxy());
  const environment = { SINETA_TRUSTED_PROXIES: "" };
  expect((await examine(port, { environment })).at(-1)).toMatchObject({
    code: "proxy-unnamed",
    state: "to-do",
    seen: "127.0.0.1",
  });
});

test("a proxy that is named in the settings since the server started", async () => {
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
    if (Number(asked.headers["content-length"]) < 100_000) forward(asked, answer);
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
    { code: "public-url-redirects", seen: "https://www.example.com/" },
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
