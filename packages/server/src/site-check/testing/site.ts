import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { afterEach, beforeAll } from "vitest";
import type { Finding, FindingCode } from "@sineta/protocol";
import { makeCertificates, type TestCertificates } from "../../webpush/testing/certificates.ts";
import { listen } from "../../webpush/testing/push-service.ts";
import { createSiteCheck } from "../check-site.ts";

export const host = "site.example";
export const vapidKey = `B${"k".repeat(86)}`;
export const mark = "Sineta-Client-Secret";

let certificates: TestCertificates;
beforeAll(async () => {
  certificates = await makeCertificates([host]);
});
/** What a test has started: ended when it ends. */
export const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

export type Answer =
  | { status?: number; type?: string; headers?: Record<string, string>; body?: string }
  | ((response: ServerResponse, request: IncomingMessage) => void);
/** What the site has at each path. */
export type Pages = Record<string, Answer>;

export const html = (head: string) => ({
  type: "text/html; charset=utf-8",
  body: `<html>${head}</html>`,
});
export const script = (body: string) => ({ type: "text/javascript", body });
export const bell = script(`subscribe("${mark}", "${vapidKey}")`);
export const png = { type: "image/png", body: "png" };

export const goodPages: Pages = {
  "/": html(
    '<link rel="manifest" href="/site.webmanifest"><script type="module" src="/assets/a.js"></script>',
  ),
  "/assets/a.js": script(`fetch(x, {headers: {"${mark}": s}}); subscribe("${vapidKey}")`),
  "/sineta-sw.js": script(`self.h = "${mark}"`),
  "/site.webmanifest": {
    type: "application/manifest+json",
    body: JSON.stringify({
      name: "Padaria",
      icons: [
        { src: "/192.png", sizes: "192x192" },
        { src: "/512.png", sizes: "512x512" },
      ],
    }),
  },
  "/192.png": png,
  "/512.png": png,
};

const anyLoopback: LookupFunction = (_name, options, callback) =>
  options.all === true
    ? callback(null, [{ address: "127.0.0.1", family: 4 }])
    : callback(null, "127.0.0.1", 4);

type SiteOptions = {
  https?: boolean;
  connect?: Parameters<typeof createSiteCheck>[0]["connect"];
  place?: { host: string; port: number };
  isOwn?: boolean;
  deadlines?: { resourceMs: number; wholeMs: number };
};

/** A site on loopback that the check is let to, unless `connect` says otherwise. */
export async function site(pages: Pages, options: SiteOptions = {}) {
  const { https = true, isOwn = false } = options;
  const asked: string[] = [];
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "";
    asked.push(path);
    const page = pages[path] ?? { status: 404 };
    if (typeof page === "function") return page(response, request);
    response.writeHead(page.status ?? 200, {
      ...(page.type === undefined ? {} : { "Content-Type": page.type }),
      ...page.headers,
    });
    response.end(page.body ?? "");
  }
  const server = https ? createHttps(certificates, answer) : createHttp(answer);
  const { port, close } = await listen(server, options.place);
  ends.push(async () => {
    server.closeAllConnections();
    await close();
  });
  const origin = `${https ? "https" : "http"}://${host}:${port}`;
  const check = createSiteCheck({
    serverUrl: "https://avisos.example/",
    ownOrigins: new Set(isOwn ? [origin] : []),
    connect: {
      ca: certificates.ca,
      lookup: anyLoopback,
      isAllowedAddress: () => true,
      ...options.connect,
    },
    ...(options.deadlines === undefined ? {} : { deadlines: options.deadlines }),
  });
  return {
    origin,
    asked,
    check: async (path = "/") => check(new URL(path, origin), { vapidKeys: [vapidKey, "older"] }),
  };
}

export const only = ({ findings }: { findings: Finding[] }, code: FindingCode) =>
  findings.filter((each) => each.code === code);
