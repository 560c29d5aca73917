/** The paths that the proxies' configurations in `deploy` hand on where Sineta is beside a site. */
import { readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { permissions } from "../access/permissions.ts";
import { testPlaces } from "../test/places.ts";
import { readSite } from "./site.ts";

const read = (file: string) =>
  readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8");

/** The one pattern of the paths that the file hands to Sineta. */
function patternIn(text: string, place: RegExp): RegExp {
  const [found, ...more] = text.matchAll(place);
  if (found?.[1] === undefined || more.length > 0) throw new Error("not one pattern");
  return new RegExp(found[1]);
}

const nginx = patternIn(read("nginx/beside-a-site.conf"), /^ +location ~ "(.+)" \{$/gm);
const caddy = patternIn(read("caddy/beside-a-site.Caddyfile"), /^\t@sineta path_regexp (\S+)$/gm);

/** Every path that the server serves. A route's parameters are those of a request. */
function servedPaths(): string[] {
  const bench = testPlaces();
  const pageConfig = { server: "", project: "default", vapidKey: "B", worker: "/sineta-sw.js" };
  const files = readSite(bench.places, { ...pageConfig, allowLoopback: false }, new Set());
  rmSync(bench.folder, { recursive: true });
  const routes = Object.keys(permissions).map((route) => {
    const [, path = ""] = route.split(" ");
    return path.replace(":file", `${"a-B_9".repeat(8)}abc.png`).replaceAll(/:\w+/g, "x");
  });
  return [...new Set([...files.keys(), ...routes, "/painel/avisos/x", "/painel/convite"])];
}

/** Sineta's page for visitors, which the site replaces, and the routes for the machine's own network. */
const notHandedOn = [
  "/",
  "/assets/index-abc123.css",
  "/assets/index-abc123.js",
  "/healthz",
  "/icon.png",
  "/icon.svg",
  "/index.html",
  "/manifest.webmanifest",
  "/metrics",
  "/readyz",
];

test("both proxies hand on the same paths", () => {
  expect(nginx.source).toBe(caddy.source);
});

test("beside a site, every path that the server serves is handed on, but for those named here", () => {
  const rest = servedPaths().filter((path) => !nginx.test(path));
  expect(rest.toSorted()).toEqual(notHandedOn);
});

test.for([
  "/v1",
  "/v10/projects",
  "/painel-solar",
  "/site/painel",
  "/docs.html",
  "/documents",
  "/sineta-sw.js.map",
  "/sineta-swxjs",
  "/images/",
  "/images/logo.png",
  `/images/${"a".repeat(43)}.gif`,
  `/images/${"a".repeat(43)}.png/x`,
  `/images/x/${"a".repeat(43)}.png`,
  `/img/images/${"a".repeat(43)}.png`,
])("beside a site, %s is the site's", (path) => {
  expect(nginx.test(path)).toBe(false);
});

test("each part of the pattern has a path that the server serves", () => {
  const served = servedPaths();
  const [, inner = ""] = /^\^\\?\/\((.+)\)$/.exec(nginx.source) ?? [];
  // Splits at the alternatives outside of parentheses.
  const parts = inner.split(/\|(?![^(]*\))/);
  expect(parts).toHaveLength(5);
  const unused = parts.filter((part) => !served.some((path) => new RegExp(`^/${part}`).test(path)));
  expect(unused).toEqual([]);
});
