import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pageConfigSchema, type PageConfig } from "@sineta/protocol";
import { testPage, testPlaces } from "../test/places.ts";
import { referencePage } from "./docs-page.ts";
import { errorsPage } from "./errors-page.ts";
import { readSite, siteResponse, withPageConfig } from "./site.ts";

const pageConfig: PageConfig = {
  server: "",
  project: "default",
  vapidKey: `B${"A".repeat(86)}`,
  worker: "/sineta-sw.js",
  allowLoopback: true,
};

const own = new Set(["https://avisos.example"]);

let bench: ReturnType<typeof testPlaces>;
beforeEach(() => {
  bench = testPlaces();
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

function get(path: string, headers: Record<string, string> = {}): Response {
  const response = siteResponse(
    readSite(bench.places, pageConfig, own),
    path,
    new Headers(headers),
  );
  if (response === null) throw new Error(`nothing at ${path}`);
  return response;
}

describe("the site", () => {
  test("the page carries its configuration as data", async () => {
    const page = await get("/").text();
    const found =
      /<script type="application\/json" id="sineta-config">(.*?)<\/script><\/head>/.exec(page);
    expect(pageConfigSchema.parse(JSON.parse(found?.[1] ?? "null"))).toEqual(pageConfig);
    expect(await get("/index.html").text()).toBe(page);
  });

  test.for(["/painel", "/painel/", "/painel/avisos/0199", "/painel/convite", "/painel/index.html"])(
    "%s is the console, which finds out which page it is, with the same configuration and its own address",
    async (path) => {
      const answer = get(path);
      expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("Cache-Control")).toBe("no-cache");
      const page = await answer.text();
      expect(page).toContain("<title>Console</title>");
      expect(page).toContain(JSON.stringify({ ...pageConfig, ownOrigins: [...own] }));
    },
  );

  test.for([
    "/painel/assets/gone-abc123.js",
    "/painel/assets/gone",
    "/painel/gone.png",
    "/painels",
  ])("%s is nothing", (path) => {
    const site = readSite(bench.places, pageConfig, own);
    expect(siteResponse(site, path, new Headers())).toBeNull();
  });

  test("the console has the site's icon at a path of its own", async () => {
    const answer = get("/painel/icon.svg");
    expect(answer.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(await answer.text()).toBe(await get("/icon.svg").text());
  });

  test("the API's reference is one page, with its files beside it", async () => {
    const answer = get("/docs");
    expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const page = await answer.text();
    expect(page).toBe(referencePage());
    expect(await get("/docs/").text()).toBe(page);
    expect(get("/docs/reference.js").headers.get("Cache-Control")).toBe("no-cache");
    const site = readSite(bench.places, pageConfig, own);
    expect(siteResponse(site, "/docs/nothing", new Headers())).toBeNull();
  });

  test("the page of errors is made at the start, beside the reference", async () => {
    const answer = get("/docs/errors");
    expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("Cache-Control")).toBe("no-cache");
    expect(await answer.text()).toBe(errorsPage());
    expect(await get("/docs/errors/").text()).toBe(errorsPage());
  });

  test("no value in the configuration can end the element", () => {
    const project = "</script><script>alert(1)</script><!--";
    const page = withPageConfig(testPage, { ...pageConfig, project });
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<!--");
    const json = />(\{.*?\})</.exec(page)?.[1] ?? "null";
    expect(JSON.parse(json)).toMatchObject({ project });
  });

  test.for([
    ["/", "text/html; charset=utf-8", "no-cache"],
    ["/sineta-sw.js", "text/javascript; charset=utf-8", "no-cache"],
    [
      "/assets/index-abc123.js",
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ],
    ["/assets/index-abc123.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
    ["/manifest.webmanifest", "application/manifest+json", "no-cache"],
    ["/icon.png", "image/png", "no-cache"],
  ] as const)("%s is %s, %s", ([path, type, caching]) => {
    const { headers } = get(path);
    expect(headers.get("Content-Type")).toBe(type);
    expect(headers.get("Cache-Control")).toBe(caching);
  });

  test("text is compressed for who can read it; an unchanged file is not sent again", async () => {
    const path = "/assets/index-abc123.js";
    const plain = get(path);
    const zipped = get(path, { "Accept-Encoding": "gzip, br" });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    expect(zipped.headers.get("Content-Encoding")).toBe("gzip");
    expect(zipped.headers.get("Vary")).toBe("Accept-Encoding");
    expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(await plain.text());
    const again = get(path, { "If-None-Match": plain.headers.get("ETag") ?? "" });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  test.for([
    ["gzip;q=0", false],
    ["gzip; Q=0.000, br", false],
    ["br, x-gzip-not", false],
    ["identity", false],
    ["br;q=1.0, GZIP;q=0.5", true],
    ["gzip;q=0.01", true],
  ] as const)("Accept-Encoding: %s", ([accepted, zipped]) => {
    const { headers } = get("/assets/index-abc123.js", { "Accept-Encoding": accepted });
    expect(headers.get("Content-Encoding")).toBe(zipped ? "gzip" : null);
  });

  test("a site that is not built, or has no head, is said", () => {
    writeFileSync(join(bench.places.siteFolder, "index.html"), "<p>");
    const siteMissing = expect.objectContaining({ code: "site-missing" });
    expect(() => readSite(bench.places, pageConfig, own)).toThrow(siteMissing);
    rmSync(bench.places.siteFolder, { recursive: true });
    expect(() => readSite(bench.places, pageConfig, own)).toThrow(siteMissing);
  });
});
