import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { pageConfigElementId, type ConsoleConfig, type PageConfig } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { errorsPath, referencePage, referencePath } from "./docs-page.ts";
import { errorsPage } from "./errors-page.ts";

/** Where the built files lie. */
export type SitePlaces = {
  siteFolder: string;
  consoleFolder: string;
  referenceFolder: string;
  workerFile: string;
};

type SiteFile = {
  body: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | null;
  contentType: string;
  cacheControl: string;
  etag: string;
};

/** Every file of the site by its path: what was not read at the start cannot be asked for. */
export type Site = ReadonlyMap<string, SiteFile>;

export const workerPath = "/sineta-sw.js";

/** The console's addresses, which all are one page, but for its files. */
const consolePath = "/painel";
const consolePage = `${consolePath}/index.html`;

/**
 * Reads the built site, the console, the reference's files and the worker, makes the pages of the reference and of errors,
 * and writes the page's configuration into the `index.html` of site and console.
 * @param ownOrigins Sineta's own, which the console is told
 * @throws CommandError `site-missing`
 */
export function readSite(
  places: SitePlaces,
  pageConfig: PageConfig,
  ownOrigins: ReadonlySet<string>,
): Site {
  const consoleConfig: ConsoleConfig = { ...pageConfig, ownOrigins: [...ownOrigins] };
  const files = new Map<string, SiteFile>();
  try {
    readFolder(files, places.siteFolder, "");
    readFolder(files, places.consoleFolder, consolePath);
    // Beside a site, /icon.svg is the site's. The console and the reference show this one.
    const icon = siteFile("/icon.svg", readFileSync(join(places.siteFolder, "icon.svg")));
    files.set(`${consolePath}/icon.svg`, icon);
    files.set(consolePage, page(consolePage, places.consoleFolder, consoleConfig));
    readFolder(files, places.referenceFolder, referencePath);
    const reference = siteFile("/index.html", Buffer.from(referencePage()));
    files.set(referencePath, reference).set(`${referencePath}/`, reference);
    const errors = siteFile("/index.html", Buffer.from(errorsPage()));
    files.set(errorsPath, errors).set(`${errorsPath}/`, errors);
    files.set(workerPath, siteFile(workerPath, readFileSync(places.workerFile)));
    const index = page("/index.html", places.siteFolder, pageConfig);
    files.set("/", index).set("/index.html", index);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      "site-missing",
      `The site has not been built (${why}): run npm run build.`,
      { cause: error },
    );
  }
  return files;
}

function readFolder(files: Map<string, SiteFile>, folder: string, below: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // What tools leave for each other lies in folders whose names begin with a dot.
    if (!entry.isFile() || relative(folder, path).startsWith(".")) continue;
    const address = `${below}/${relative(folder, path).split(sep).join("/")}`;
    files.set(address, siteFile(address, readFileSync(path)));
  }
}

function page(address: string, folder: string, pageConfig: PageConfig): SiteFile {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  return siteFile(address, Buffer.from(withPageConfig(html, pageConfig)));
}

/** The page with its configuration as data: no inline script, so the policy can forbid those. */
export function withPageConfig(html: string, pageConfig: PageConfig): string {
  const head = html.indexOf("</head>");
  if (head === -1) {
    throw new CommandError("site-missing", "The site's index.html has no </head>: build it again.");
  }
  // Without `<` nothing in the data can end the element or open a comment (HTML, "restrictions for contents of
  // script elements").
  const json = JSON.stringify(pageConfig).replaceAll("<", String.raw`\u003c`);
  const element = `<script type="application/json" id="${pageConfigElementId}">${json}</script>`;
  return html.slice(0, head) + element + html.slice(head);
}

/** Which page it is, the console finds out itself. What ends like a file, or lies among the assets, is none. */
export function isConsolePage(path: string): boolean {
  if (path !== consolePath && !path.startsWith(`${consolePath}/`)) return false;
  return !path.startsWith(`${consolePath}/assets/`) && !/\.\w+$/.test(path);
}

/** The file as an answer; null if there is none at this path. */
export function siteResponse(site: Site, path: string, request: Headers): Response | null {
  const file = site.get(path) ?? (isConsolePage(path) ? site.get(consolePage) : undefined);
  if (file === undefined) return null;
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Cache-Control": file.cacheControl,
    ETag: file.etag,
  });
  if (file.gzip !== null) headers.set("Vary", "Accept-Encoding");
  if (request.get("If-None-Match") === file.etag)
    return new Response(null, { status: 304, headers });
  if (file.gzip === null || !acceptsGzip(request.get("Accept-Encoding") ?? "")) {
    return new Response(file.body, { headers });
  }
  headers.set("Content-Encoding", "gzip");
  return new Response(file.gzip, { headers });
}

/** Not by a weight of 0 (RFC 9110, section 12.5.3). */
function acceptsGzip(acceptEncoding: string): boolean {
  return acceptEncoding
    .split(",")
    .some((item) => /^\s*gzip\s*(;|$)/i.test(item) && !/;\s*q=0(\.0*)?\s*$/i.test(item));
}

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

function siteFile(address: string, body: Uint8Array<ArrayBuffer>): SiteFile {
  const contentType = contentTypes[extname(address)] ?? "application/octet-stream";
  const zipped = /^(text|application)\/|svg/.test(contentType) ? gzipSync(body) : null;
  return {
    body,
    gzip: zipped !== null && zipped.length < body.length ? zipped : null,
    contentType,
    // The names of Vite's assets carry a hash of what they hold; nothing else may be kept without asking.
    cacheControl: /^(\/painel)?\/assets\//.test(address)
      ? "public, max-age=31536000, immutable"
      : "no-cache",
    etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
  };
}
