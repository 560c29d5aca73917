import { describe, expect, test } from "vitest";
import { startPrivateListener } from "../webpush/testing/private-listener.ts";
import { bell, ends, goodPages, only, script, site } from "./testing/site.ts";

describe("imports", () => {
  const imports = (count: number) =>
    script(Array.from({ length: count }, (_, at) => `import("./${at}.js")`).join(";"));
  const many = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`/assets/${at}.js`, script(String(at))]),
  );

  test("are followed in bounded number", async () => {
    const { check, asked, origin } = await site({
      ...goodPages,
      ...many,
      "/assets/a.js": imports(90),
    });
    expect(only(await check(), "bell-found")).toMatchObject([
      { state: "warning", reason: "not-looked-at", seen: `${origin}/assets/24.js` },
    ]);
    expect(asked.filter((path) => /^\/assets\/\d/.test(path))).toHaveLength(24);
  });

  test("are followed within one level, each once, and not at all once enough is known", async () => {
    const round = await site({
      ...goodPages,
      "/assets/a.js": script('import "./a.js";import "./b.js#x";import "./b.js"'),
      "/assets/b.js": script('import "./c.js"'),
    });
    await round.check();
    expect(round.asked.filter((path) => path.startsWith("/assets/"))).toEqual([
      "/assets/a.js",
      "/assets/b.js",
    ]);
    const enough = await site({
      ...goodPages,
      "/assets/a.js": script(`${bell.body};import "./b.js"`),
    });
    await enough.check();
    expect(enough.asked).not.toContain("/assets/b.js");
  });

  test("are read in bounded bytes", async () => {
    const large = script(" ".repeat(3 * 2 ** 20));
    const { check, asked } = await site({
      ...goodPages,
      ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/assets/${at}.js`, large])),
      "/assets/a.js": imports(12),
    });
    expect(only(await check(), "bell-found")).toMatchObject([{ reason: "not-looked-at" }]);
    // 8 MiB in all, 2 MiB of each.
    expect(asked.filter((path) => /^\/assets\/\d/.test(path))).toHaveLength(4);
  });

  test("are waited for in bounded time", async () => {
    const deadlines = { resourceMs: 60_000, wholeMs: 3_000 };
    const pages = { ...goodPages, "/assets/a.js": imports(20), "/assets/0.js": () => undefined };
    const { check, asked, origin } = await site(pages, { deadlines });
    expect(only(await check(), "bell-found")).toMatchObject([
      { state: "warning", reason: "not-looked-at", seen: `${origin}/assets/0.js` },
    ]);
    expect(asked).not.toContain("/assets/1.js");
  });

  test("lead to no other origin and to no address that is not public", async () => {
    const listener = await startPrivateListener();
    ends.push(listener.close);
    const at = `//127.0.0.1:${listener.port}`;
    const { check, asked } = await site({
      ...goodPages,
      "/assets/a.js": script(
        `import "http:${at}/1.js";import "https:${at}/2.js";import "${at}/3.js";import "./away.js"`,
      ),
      "/assets/away.js": { status: 302, headers: { Location: `http:${at}/4.js` } },
    });
    expect(only(await check(), "bell-found")).toMatchObject([
      { reason: "not-looked-at", seen: `http:${at}/1.js` },
    ]);
    expect(asked).toContain("/assets/away.js");
    expect(listener.connections()).toBe(0);
  });
});
