import { describe, expect, test } from "vitest";
import { readTags } from "./read-tags.ts";

const brief = (html: string) =>
  readTags(html).map(({ name, attributes, text }) =>
    Object.assign(Object.fromEntries(attributes), { name, text }),
  );

describe("reading a page's tags", () => {
  test.for<[string, object[]]>([
    ['<script src="/a.js"></script>', [{ name: "script", src: "/a.js", text: "" }]],
    ["<SCRIPT\nSRC='/a.js' async >", [{ name: "script", src: "/a.js", async: "", text: "" }]],
    ["<img src=/a.png alt=''>", [{ name: "img", src: "/a.png", alt: "", text: "" }]],
    ["<link href=/a rel=icon/>", [{ name: "link", href: "/a", rel: "icon/", text: "" }]],
    ['<a href="?a=1&amp;b=2" href="/no">', [{ name: "a", href: "?a=1&b=2", text: "" }]],
    ["<!-- <script src=/no> --><p>", [{ name: "p", text: "" }]],
    [
      '<script>if (a < b) "<img src=/no>"</script><p>',
      [
        { name: "script", text: 'if (a < b) "<img src=/no>"' },
        { name: "p", text: "" },
      ],
    ],
    [
      "<title><script></title><p>",
      [
        { name: "title", text: "" },
        { name: "p", text: "" },
      ],
    ],
    [
      "<noscript><meta></noscript><template><p></template><b>",
      [
        { name: "noscript", text: "" },
        { name: "template", text: "" },
        { name: "b", text: "" },
      ],
    ],
    [
      `<p a="&#39;&#X27;&apos;&quot;&lt;&gt;" b="&amp;#39;" c="&#0;&#x110000;&nbsp;&#x3d">`,
      [{ name: "p", a: `'''"<>`, b: "&#39;", c: "&#0;&#x110000;&nbsp;&#x3d", text: "" }],
    ],
    ["1 < 2 <3> </p> <!doctype html> <", []],
    ["<script>never ends", [{ name: "script", text: "never ends" }]],
    ["<!-- never ends <p>", []],
    ['<p title="never ends <b>', [{ name: "p", title: "", text: "" }]],
  ])("%s", ([html, tags]) => {
    expect(brief(html)).toEqual(tags);
  });

  test.for([
    "<",
    "<a ",
    "<a b",
    '<a b="',
    "<a b='<a b=\"",
    "<!--",
    "<script>",
    "<a =",
    "<a" + " ".repeat(50),
  ])("a megabyte of %j does not take the time of its square", (piece) => {
    const html = piece.repeat(Math.ceil(2 ** 20 / piece.length));
    // What took time by the square of the length would not come back within a test's.
    expect(readTags(html).length).toBeLessThanOrEqual(html.length / 2);
  });
});
