import type { IncomingHttpHeaders } from "node:http";
import {
  clientSecretHeader,
  pageConfigElementId,
  pageConfigSchema,
  type Finding,
  type PageConfig,
  type SiteCheck,
} from "@sineta/protocol";
import { workerPath } from "../http/site.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import { checkManifest } from "./check-manifest.ts";
import { checkPolicies } from "./check-policies.ts";
import { createFetchResource, type Fetched, type Resource } from "./fetch-resource.ts";
import { absence, addressOf, contentTypeOf, finding, type Look } from "./finding.ts";
import { readScripts, type Script } from "./read-scripts.ts";
import { readTags, type Tag } from "./read-tags.ts";

/**
 * Looks at a page and tells what it lacks for the bell to work. Never rejects.
 * @param url a page of one of the project's origins
 * @param project its public VAPID keys
 */
export type CheckSite = (url: URL, project: { vapidKeys: readonly string[] }) => Promise<SiteCheck>;

const pageBytes = 1024 * 1024;
const scriptBytes = 2 * 1024 * 1024;

const javaScriptTypes =
  /^(text|application)\/(x-)?(javascript|ecmascript|javascript1\.\d|jscript|livescript)$/i;

/**
 * What the client's scripts and its worker both hold, whatever made them smaller: the name of the header that they send.
 */
const mark = clientSecretHeader;

export function createSiteCheck(parts: {
  /** Where the server is reached. */
  serverUrl: string;
  ownOrigins: ReadonlySet<string>;
  connect?: ConnectOptions;
  deadlines?: { resourceMs: number; wholeMs: number };
}): CheckSite {
  const { deadlines = { resourceMs: 5_000, wholeMs: 15_000 } } = parts;
  const fetchResource = createFetchResource({
    ...parts.connect,
    ownOrigins: parts.ownOrigins,
    deadlineMs: deadlines.resourceMs,
  });

  return async (asked, { vapidKeys }) => {
    const url = new URL(asked.pathname + asked.search, asked.origin);
    const signal = AbortSignal.timeout(deadlines.wholeMs);
    const fetch: Look["fetch"] = (address, maximumBytes) =>
      fetchResource(address, { maximumBytes, signal });
    const page = await fetch(url, pageBytes);
    const first = [checkSecurity(url, page, parts.ownOrigins), checkPage(page)];
    if (page.kind === "none" || !isHtml(page)) return { url: url.href, findings: first };

    const tags = readTags(page.text);
    const look: Look = { page, tags, base: baseOf(tags, page.url), fetch };
    const config = configOf(tags);
    const workerUrl = URL.parse(config?.worker ?? workerPath, page.url);
    const [bell, worker, manifest] = await Promise.all([
      checkBell(look, config, vapidKeys),
      checkWorker(look, workerUrl, config?.worker),
      checkManifest(look),
    ]);
    const policies = checkPolicies(look, {
      script: bell.script,
      workerUrl: workerUrl?.origin === page.url.origin ? workerUrl : null,
      workerHeaders: worker.headers,
      registrationsUrl: registrationsUrlOf(look, config, parts.serverUrl),
    });
    const findings = [...first, ...bell.findings, worker.finding, ...policies];
    findings.push(...checkMixed(look), ...manifest);
    return { url: page.url.href, findings };
  };
}

function checkSecurity(url: URL, page: Fetched, ownOrigins: ReadonlySet<string>): Finding {
  if (page.kind === "none" && page.reason === "certificate-invalid") {
    return finding("https", "missing", "certificate-invalid", page.seen);
  }
  if (url.protocol === "https:") return finding("https", "ok", "found", url.origin);
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(url.hostname);
  return isLoopback && ownOrigins.has(url.origin)
    ? finding("https", "warning", "loopback", url.origin)
    : finding("https", "missing", "insecure", url.origin);
}

function checkPage(page: Fetched): Finding {
  if (page.kind === "none") return absence("page-reachable", "missing", page);
  if (!isHtml(page)) {
    return finding("page-reachable", "missing", "content-type-wrong", contentTypeOf(page));
  }
  if (!page.isWhole) return finding("page-reachable", "warning", "too-large", page.url.href);
  return finding("page-reachable", "ok", "found", page.url.href);
}

function isHtml(page: Resource): boolean {
  return ["text/html", "application/xhtml+xml"].includes(contentTypeOf(page));
}

function baseOf(tags: readonly Tag[], page: URL): URL {
  const href = tags.find(({ name, attributes }) => name === "base" && attributes.has("href"));
  return addressOf(href?.attributes.get("href"), page) ?? page;
}

/** What the server or the site's own backend wrote into the page. */
function configOf(tags: readonly Tag[]): PageConfig | null {
  const element = tags.find(
    ({ name, attributes }) => name === "script" && attributes.get("id") === pageConfigElementId,
  );
  try {
    return pageConfigSchema.safeParse(JSON.parse(element?.text ?? "")).data ?? null;
  } catch {
    return null;
  }
}

async function checkBell(
  look: Look,
  config: PageConfig | null,
  vapidKeys: readonly string[],
): Promise<{ findings: Finding[]; script?: Script | undefined }> {
  if (config !== null) {
    const { vapidKey } = config;
    const findings = [
      finding("bell-found", "ok", "found", `#${pageConfigElementId}`),
      vapidKeys.includes(vapidKey)
        ? finding("vapid-key", "ok", "found", vapidKey)
        : finding("vapid-key", "missing", "other-key", vapidKey),
    ];
    return { findings };
  }
  let bell: Script | undefined;
  let key: string | undefined;
  const unseen = await readScripts(look, (script) => {
    if (script.text.includes(mark)) bell ??= script;
    key ??= vapidKeys.find((each) => script.text.includes(each));
    return bell !== undefined && key !== undefined;
  });
  if (bell === undefined) {
    const absent =
      unseen === null
        ? finding("bell-found", "missing", "not-found")
        : finding("bell-found", "warning", "not-looked-at", unseen);
    return { findings: [absent] };
  }
  const findings = [
    finding("bell-found", "ok", "found", bell.url?.pathname),
    key === undefined
      ? finding("vapid-key", "warning", "not-found")
      : finding("vapid-key", "ok", "found", key),
  ];
  return { findings, script: bell };
}

/** The worker's file, and the headers that it came with. */
async function checkWorker(
  { page, fetch }: Look,
  url: URL | null,
  configured: string | undefined,
): Promise<{ finding: Finding; headers?: IncomingHttpHeaders }> {
  const code = "worker-reachable";
  if (url === null || url.origin !== page.url.origin) {
    return { finding: finding(code, "missing", "redirected-elsewhere", configured) };
  }
  const worker = await fetch(url, scriptBytes);
  if (worker.kind === "none") return { finding: absence(code, "missing", worker) };
  return { finding: judgeWorker(worker, url), headers: worker.headers };
}

function judgeWorker(worker: Resource, { pathname }: URL): Finding {
  const code = "worker-reachable";
  // Browsers follow no redirect for a worker's file (Service Workers, "Update", step 7.9).
  if (worker.wasRedirected) return finding(code, "missing", "redirected", worker.url.pathname);
  const type = contentTypeOf(worker);
  if (!javaScriptTypes.test(type)) return finding(code, "missing", "content-type-wrong", type);
  if (!worker.text.includes(mark)) return finding(code, "warning", "not-sineta", pathname);
  return finding(code, "ok", "found", pathname);
}

/** Where the page's client registers. */
function registrationsUrlOf({ page }: Look, config: PageConfig | null, serverUrl: string): URL {
  const path = `/v1/projects/${config?.project ?? "default"}/registrations`;
  const base = config === null ? serverUrl : config.server || page.url;
  return URL.parse(path, base) ?? page.url;
}

const loadingTags: Readonly<Record<string, string>> = {
  script: "src",
  img: "src",
  iframe: "src",
  video: "src",
  audio: "src",
  source: "src",
  embed: "src",
  link: "href",
};
const loadingLinks =
  /(^|\s)(stylesheet|icon|manifest|preload|modulepreload|apple-touch-icon)(\s|$)/i;

/** What a secure page loads in the clear: browsers refuse or mend it, and some say that the page is not secure. */
function checkMixed({ page, tags, base }: Look): Finding[] {
  if (page.url.protocol !== "https:") return [];
  const one = firstInsecure(tags, base);
  return [
    one === undefined
      ? finding("mixed-content", "ok", "none")
      : finding("mixed-content", "warning", "insecure", one.href),
  ];
}

function firstInsecure(tags: readonly Tag[], base: URL): URL | undefined {
  for (const { name, attributes } of tags) {
    const text = attributes.get(loadingTags[name] ?? "");
    if (name === "link" && !loadingLinks.test(attributes.get("rel") ?? "")) continue;
    // What has no scheme of its own has the base's: joined to a long one, it would take a hundred times as long.
    const protocol = addressOf(text)?.protocol ?? base.protocol;
    const address = protocol === "http:" ? addressOf(text, base) : null;
    if (address !== null) return address;
  }
  return undefined;
}
