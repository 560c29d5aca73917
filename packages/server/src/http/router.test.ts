import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, type AppBench } from "../test/app-bench.ts";
import { RouterOfEachMethod } from "./router.ts";

type Route = AppBench["app"]["routes"][number];

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

/** The application's own routes. */
function filled<Each extends Router<Route>>(router: Each): Each {
  for (const route of bench.app.routes) router.add(route.method, route.path, route);
  return router;
}

/** Which handlers come in which order, and what each finds in the path: routers say the latter in two ways. */
function told([handlers, stash]: Result<Route>): [Route, Record<string, string | undefined>][] {
  return handlers.map(([route, found]) => [
    route,
    Object.fromEntries(
      Object.entries(found).map(([name, at]) => [name, typeof at === "number" ? stash?.[at] : at]),
    ),
  ]);
}

const parts = ["default", "export", "messages", "a%2Fb", "%E0%A4%A", "ü", ".", "", "a b", "x{y}"];

/** Each path with each of the parts in its places, and what is near it. */
function pathsLike(path: string): string[] {
  return parts
    .map((part) => path.replaceAll(/:\w+/g, part).replaceAll("*", part))
    .flatMap((each) => [each, `${each}/`, `${each}/more`, `/${each}`, each.toUpperCase()]);
}

describe("RouterOfEachMethod", () => {
  test("finds what Hono's router for everything finds, whatever is asked for", () => {
    const usual = filled(new TrieRouter<Route>());
    const router = filled(new RouterOfEachMethod<Route>());
    const paths = new Set(bench.app.routes.flatMap(({ path }) => pathsLike(path)));
    expect(paths.size).toBeGreaterThan(500);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW", "ALL"]) {
      for (const path of paths) {
        const found = told(router.match(method, path));
        expect(found, `${method} ${path}`).toEqual(told(usual.match(method, path)));
      }
    }
  });

  test.for(["POST", "PUT", "DELETE", "OPTIONS"])("has the fastest one for %s", (method) => {
    const router = filled(new RouterOfEachMethod<Route>());
    router.match(method, "/");
    expect(router.nameOf(method)).toBe("RegExpRouter");
  });

  test("is the application's, also for methods that no route has", async () => {
    expect(bench.app.router).toBeInstanceOf(RouterOfEachMethod);
    for (const method of ["BREW", "WHEN"]) {
      const response = await bench.app.request("/v1/projects/default/config", { method });
      expect(response.status).toBe(404);
    }
  });

  test("takes routes that are added after it was asked", () => {
    const router = new RouterOfEachMethod<string>();
    router.add("GET", "/a", "a");
    expect(router.match("GET", "/b")[0]).toEqual([]);
    router.add("GET", "/b", "b");
    expect(router.match("GET", "/b")[0].map(([handler]) => handler)).toEqual(["b"]);
  });
});
