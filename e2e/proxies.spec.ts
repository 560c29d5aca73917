/** Each of the six configurations in packages/server/deploy, run by the real nginx or Caddy before a real server. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { PushLab } from "@sineta/push-lab";
import { doctorSchema, limits, publishedSchema } from "@sineta/protocol";
import { tokenOf } from "./support/bell.ts";
import { openProfile, type Profile } from "./support/browsers/profile.ts";
import { expect, test as base } from "./support/fixtures.ts";
import { enrolOwner, owner } from "./support/operator.ts";
import { addressOf, type OwnPage, serveOwnPage } from "./support/own-page.ts";
import {
  proxyNames,
  readProxyFile,
  settingsIn,
  startProxy,
  type Place,
  type Proxy,
} from "./support/proxies.ts";
import { freePort, type SinetaServer, startServer } from "./support/server.ts";
import { openVisitor } from "./support/visitor.ts";

const hosts = ["example.com", "avisos.example.com"];

/** Lets both names lead to this machine, for sineta doctor. */
const resolvingHosts = `--import=data:text/javascript,${encodeURIComponent(`
  import dns from "node:dns";
  import { syncBuiltinESMExports } from "node:module";
  const { lookup } = dns;
  dns.lookup = (host, options, give) =>
    lookup(${JSON.stringify(hosts)}.includes(host) ? "127.0.0.1" : host, options, give);
  syncBuiltinESMExports();
`)}`;

type Ports = Pick<Place["ports"], "http" | "https">;

type Front = {
  server: SinetaServer;
  /** Where visitors reach it, through the proxy. */
  address: string;
};

type PerTest = {
  /** Starts the proxy, before a server with the settings that the file names. */
  front: (program: (typeof proxyNames)[number], layout: string) => Promise<Front>;
};
type Enrolled = { server: SinetaServer; port: number };
type PerWorker = {
  ports: Ports;
  profile: Profile;
  site: OwnPage;
  /** A server with these settings, which has its owner. Tests with the same settings share one server. */
  enrolled: (settings: Record<string, string>) => Promise<Enrolled>;
};

/** All tests share one Chromium, for which both names lead to the proxy under test. */
const test = base.extend<PerTest, PerWorker>({
  ports: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => use({ http: await freePort(), https: await freePort() }),
    { scope: "worker" },
  ],
  profile: [
    async ({ lab, ports }, use) => {
      const profile = await openProfile({ lab, hosts, port: ports.https });
      await use(profile);
      await profile.close();
    },
    { scope: "worker" },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await serveOwnPage(await freePort());
      await mkdir(join(site.folder, "images"));
      await writeFile(join(site.folder, "images", "logo.png"), "the site's own");
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
  enrolled: [
    async ({ lab }, use) => {
      const started = new Map<string, Promise<Enrolled>>();
      const start = async (settings: Record<string, string>): Promise<Enrolled> => {
        const port = await freePort();
        const environment = {
          ...lab.serverEnvironment,
          ...settings,
          SINETA_PORT: String(port),
          NODE_OPTIONS: resolvingHosts,
        };
        const server = await startServer(environment);
        const address = new URL(settings["SINETA_PUBLIC_URL"] ?? "");
        expect(await server.firstLink()).toContain(`${address.href}painel/convite#`);
        await enrolOwner(server, address);
        return { server, port };
      };
      await use((settings) => {
        const key = JSON.stringify(settings);
        const server = started.get(key) ?? start(settings);
        started.set(key, server);
        return server;
      });
      for (const each of started.values()) await (await each).server.stop();
    },
    { scope: "worker" },
  ],
  front: async ({ enrolled, lab, ports, profile, site }, use) => {
    const proxies: Promise<Proxy>[] = [];
    await use(async (program, layout) => {
      const settings = settingsIn(await readProxyFile(program, layout));
      // That page is served at its own address, without a proxy.
      const pages = "SINETA_ORIGINS" in settings && { SINETA_ORIGINS: site.url };
      const { server, port } = await enrolled({ ...settings, ...pages });
      const place = {
        ports: { ...ports, sineta: port },
        certificate: await lab.certificateFor(hosts),
        site: site.folder,
      };
      const starting = startProxy(program, layout, place);
      proxies.push(starting);
      await starting;
      return { server, address: new URL(settings["SINETA_PUBLIC_URL"] ?? "").href };
    });
    for (const starting of proxies) {
      const proxy = await starting;
      await proxy.stop();
      // Caddy's words for asking an authority for a certificate.
      expect(proxy.said()).not.toMatch(/obtain|acme/i);
    }
    await profile.reset();
  },
});
test.describe.configure({ mode: "default" });

for (const program of proxyNames) {
  test(`${program}, own-address: the bell of a page at another origin`, async ({
    front,
    lab,
    ports,
    profile,
    site,
  }) => {
    const { server, address } = await front(program, "own-address");
    const operator = await logIn(profile, address);
    const url = await addressOf(site, server, { server: address });
    await notify(operator, { lab, profile, url });
    await expectDoctorToAgree(server, address, ports);
    expect(await redirectOf(address, ports)).toBe("https://avisos.example.com/painel?x=1");
  });

  test(`${program}, alone: the bell of Sineta's own page`, async ({
    front,
    lab,
    ports,
    profile,
  }) => {
    const { server, address } = await front(program, "alone");
    const operator = await logIn(profile, address);
    await notify(operator, { lab, profile, url: address });
    await expectDoctorToAgree(server, address, ports);
    expect(await redirectOf(address, ports)).toBe("https://example.com/painel?x=1");
  });

  test(`${program}, beside-a-site: the bell of the site's page, and all that is sent through`, async ({
    front,
    lab,
    ports,
    profile,
    site,
  }) => {
    const { server, address } = await front(program, "beside-a-site");
    expect(await server.run("config")).toMatchObject({ status: 0, stderr: "" });
    const operator = await logInAtConsole(profile, address);
    const page = { ...site, url: address };
    const url = await addressOf(page, server, { server: address });
    await notify(operator, { lab, profile, url });
    expect(await redirectOf(address, ports)).toBe("https://example.com/painel?x=1");
    expect(await answersOf(operator, Object.keys(answers))).toEqual(answers);
    const found = await Promise.all(indirect.map((path) => statusOf(path, { lab, ports })));
    expect(found.filter((status) => status !== 400 && status !== 404)).toEqual([]);
    await expectLargeImage(operator);
    await expectLiveEvents(operator);
    await expectRealAddresses(operator, address, { lab, ports });
    await expectDoctorToAgree(server, address, ports);
  });
}

const wayToServer = new Set(["server", "public-url", "dns", "certificate", "proxy"]);

/** Lets sineta doctor go a visitor's way to the server. It finds nothing to do. */
async function expectDoctorToAgree(
  server: SinetaServer,
  address: string,
  { https }: Ports,
): Promise<void> {
  const { host } = new URL(address);
  const url = `https://${host}:${https}`;
  const { stdout } = await server.run("doctor", "--json", "--public-url", url);
  const { findings } = doctorSchema.parse(JSON.parse(stdout));
  const found = findings.filter(({ check }) => wayToServer.has(check));
  expect(found).toMatchObject([
    { code: "server-runs" },
    { code: "public-url-reached", subject: url },
    { code: "name-local", seen: "127.0.0.1" },
    { code: "certificate-valid", subject: host },
    { code: "proxy-right", subject: url, seen: "127.0.0.1" },
  ]);
}

/** The program and the status that answer each path beside a site. */
const answers = {
  "/": "site 200",
  "/index.html": "site 200",
  "/images/logo.png": "site 200",
  "/nothing": "site 404",
  "/painel-solar": "site 404",
  "/v10/": "site 404",
  "/healthz": "site 404",
  "/readyz": "site 404",
  "/metrics": "site 404",
  "/v1/nothing": "Sineta 404",
  "/v1/openapi.json": "Sineta 200",
  "/painel": "Sineta 200",
  "/painel/convite": "Sineta 200",
  "/docs": "Sineta 200",
  "/docs/errors": "Sineta 200",
  "/sineta-sw.js": "Sineta 200",
  [`/images/${"A".repeat(43)}.png`]: "Sineta 404",
};

/** Ways round to paths that are not handed on. A browser resolves them itself. */
const indirect = [
  "/v1/../metrics",
  "/v1%2fx/../metrics",
  "/v1%2fx/%2e%2e/readyz",
  "/v1%2fx/..",
  "/v1/..%5cmetrics",
  "/docs/.%2e/healthz",
];

/** The forged address in every request of the operator's browser. */
const forged = "203.0.113.9";

/** Opens a page of Sineta's, and logs in there by a script. */
async function logIn(profile: Profile, address: string): Promise<Page> {
  const page = await openForged(profile, `${address}docs/errors`);
  const status = await page.evaluate(async ({ email, password }) => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ email, password });
    return (await fetch("/v1/session", { method: "POST", headers, body })).status;
  }, owner);
  expect(status).toBe(200);
  await expectSessionCookie(profile, address);
  return page;
}

/** Opens the console, and logs in there as a person does. */
async function logInAtConsole(profile: Profile, address: string): Promise<Page> {
  const page = await openForged(profile, `${address}painel`);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await expectSessionCookie(profile, address);
  const icon = page.locator('link[rel="icon"]');
  const width = await icon.evaluate(async ({ href }: HTMLLinkElement) => {
    const image = new Image();
    image.src = href;
    await image.decode();
    return image.naturalWidth;
  });
  expect(width).toBeGreaterThan(0);
  return page;
}

async function openForged({ context }: Profile, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.setExtraHTTPHeaders({ "X-Forwarded-For": forged });
  await page.goto(url);
  return page;
}

async function expectSessionCookie({ context }: Profile, address: string): Promise<void> {
  const session = { name: "__Host-sineta-session", secure: true, httpOnly: true };
  expect(await context.cookies(address)).toContainEqual(expect.objectContaining(session));
}

/** Turns the bell on at the page, and sends a notification, which is shown and reported. */
async function notify(
  operator: Page,
  { lab, profile, url }: { lab: PushLab; profile: Profile; url: string },
): Promise<void> {
  const visitor = await openVisitor({ lab, url }, profile);
  const token = await tokenOf(visitor);
  const id = await publish(operator, { kind: "tokens", tokens: [token] });
  const titles = async () => (await visitor.notifications()).map(({ title }) => title);
  await expect.poll(titles).toEqual(["Pão quente"]);
  const displayed = async () => {
    const { receipts } = await ask<{ receipts: { displayed: number } }>(operator, `messages/${id}`);
    return receipts.displayed;
  };
  await expect.poll(displayed).toBe(1);
  expect(visitor.complaints).toEqual([]);
}

/** The id of the new message. */
async function publish(operator: Page, target: object, more = {}): Promise<string> {
  const notification = { title: "Pão quente", body: "Saiu agora" };
  const body = JSON.stringify({ target, notification, ...more });
  const headers = { "Content-Type": "application/json" };
  return publishedSchema.parse(await ask(operator, "messages", { method: "POST", headers, body }))
    .id;
}

/** What the API answers to a script of the console. */
function ask<Answer = unknown>(
  operator: Page,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return operator.evaluate(async ([address, options]) => (await fetch(address, options)).json(), [
    `/v1/projects/default/${path}`,
    init,
  ] as const);
}

/** Asks each path. Only Sineta sends X-Content-Type-Options; the site does not. */
function answersOf(operator: Page, paths: string[]): Promise<Record<string, string>> {
  return operator.evaluate(async (all) => {
    const entries = all.map(async (path) => {
      const { headers, status } = await fetch(path);
      const name = headers.has("X-Content-Type-Options") ? "Sineta" : "site";
      return [path, `${name} ${status}`];
    });
    return Object.fromEntries(await Promise.all(entries));
  }, paths);
}

const picture = new URL("../packages/server/src/images/testing/truecolour.png", import.meta.url);

async function expectLargeImage(operator: Page): Promise<void> {
  const small = await readFile(picture);
  const padding = limits.imageBytes - small.length;
  const answer = await operator.evaluate(
    async ([base64, more]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const body = new Blob([bytes, new Uint8Array(more)]);
      const uploaded = await fetch("/v1/projects/default/images", { method: "POST", body });
      const { url }: { url: string } = await uploaded.json();
      return { status: uploaded.status, shown: (await (await fetch(url)).blob()).size };
    },
    [small.toString("base64"), padding] as const,
  );
  expect(answer).toEqual({ status: 201, shown: limits.imageBytes });
}

/** Watches a scheduled message until it is cancelled. A proxy that buffers would hand on no event before the end. */
async function expectLiveEvents(operator: Page): Promise<void> {
  const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
  const id = await publish(operator, { kind: "all" }, { scheduleAt });
  const events = await operator.evaluateHandle((message) => {
    const names: string[] = [];
    const source = new EventSource(`/v1/projects/default/messages/${message}/events`);
    source.addEventListener("progress", () => names.push("progress"));
    source.addEventListener("end", () => {
      names.push("end");
      source.close();
    });
    return names;
  }, id);
  await expect.poll(() => events.jsonValue()).toEqual(["progress"]);
  await ask(operator, `messages/${id}/cancel`, { method: "POST" });
  await expect.poll(() => events.jsonValue()).toEqual(["progress", "progress", "end"]);
}

/** The operator's browser is at 127.0.0.1. A further visitor, at 127.0.0.2, fails to log in. */
async function expectRealAddresses(
  operator: Page,
  address: string,
  { lab, ports }: { lab: PushLab; ports: Ports },
): Promise<void> {
  const { origin } = new URL(address);
  const body = JSON.stringify({ email: owner.email, password: "nove pontes de pedra" });
  const headers = {
    Origin: origin,
    "Content-Type": "application/json",
    "X-Forwarded-For": forged,
  };
  const request = { localAddress: "127.0.0.2", method: "POST", headers, body };
  const status = await statusOf("/v1/session", { lab, ports }, request);
  expect(status).toBe(401);
  const { lines } = await ask<{ lines: { action: string; address: string | null }[] }>(
    operator,
    "audit",
  );
  const newest = (action: string) => lines.find((line) => line.action === action)?.address;
  expect(newest("operator.logged-in")).toBe("127.0.0.1");
  expect(newest("operator.log-in-refused")).toBe("127.0.0.2");
}

/** Asks the proxy for a path of example.com as it is written. */
async function statusOf(
  path: string,
  { lab, ports }: { lab: PushLab; ports: Ports },
  {
    body = "",
    headers = {},
    ...options
  }: { localAddress?: string; method?: string; headers?: object; body?: string } = {},
): Promise<number | undefined> {
  const hostname = "example.com";
  const ca = await readFile(lab.caPath);
  const target = { host: "127.0.0.1", port: ports.https, servername: hostname, ca, agent: false };
  return new Promise((resolve, reject) => {
    const all = { ...target, ...options, headers: { ...headers, Host: hostname }, path };
    httpsRequest(all, (response) => resolve(response.resume().statusCode))
      .once("error", reject)
      .end(body);
  });
}

/** The redirect that the proxy gives to a request by http. */
function redirectOf(address: string, ports: Ports): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Host: new URL(address).host };
    httpRequest(
      { host: "127.0.0.1", port: ports.http, path: "/painel?x=1", headers, agent: false },
      (response) => resolve(response.resume().headers.location),
    )
      .once("error", reject)
      .end();
  });
}
