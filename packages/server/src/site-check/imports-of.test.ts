import { expect, test } from "vitest";
import { importsOf } from "./imports-of.ts";

test.for<[script: string, paths: string[]]>([
  ['import "./a.js";', ["./a.js"]],
  ["import{a as b}from\"./a.js\";import c from'../c.js';", ["./a.js", "../c.js"]],
  ['import\n  d\nfrom\n  "/d.js"', ["/d.js"]],
  ['export*from"./e.js";export{f}from"./f.js"', ["./e.js", "./f.js"]],
  ["const p=()=>import(`./bell-B1.js`)", ["./bell-B1.js"]],
  ['import( "./g.js" )', ["./g.js"]],
  ['import(/* webpackChunkName: "bell" */ "./h.js")', ["./h.js"]],
  ['import("./$token-C2.js")', ["./$token-C2.js"]],
  ['import("https://cdn.example/i.js")', ["https://cdn.example/i.js"]],
  ['import("./a.js");import("./a.js")', ["./a.js"]],
  // What leads nowhere by itself, is made while it runs, or is no import.
  ['import "react";import("@sineta/client")', []],
  ["import(`./${name}.js`)", []],
  ['import(name);import.meta.url;const text = "./a.js"', []],
  ['Array.from("/abc");reimport("./a.js")', []],
  ['import("data:text/javascript,1");import("blob:x")', []],
])("%s", ([script, paths]) => {
  expect(importsOf(script)).toEqual(paths);
});

test("of a script that imports without end, the first hundred", () => {
  const script = Array.from({ length: 1_000 }, (_, at) => `import("./${at}.js")`).join(";");
  expect(importsOf(script)).toHaveLength(100);
  expect(importsOf(script)[99]).toBe("./99.js");
});

test("what is made to take long is read like anything else", () => {
  const megabyte = 2 ** 20;
  for (const part of [
    "import ",
    "import(",
    "from",
    'import("',
    "import(/*",
    `import("${"a".repeat(499)}`,
  ]) {
    expect(importsOf(part.repeat(megabyte / part.length))).toEqual([]);
  }
  expect(importsOf(`import${" ".repeat(megabyte)}"./a.js"`)).toEqual([]);
});
