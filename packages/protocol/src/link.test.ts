import { describe, expect, test } from "vitest";
import { isLink, linkAddress } from "./link.ts";

const origins = ["https://loja.example", "http://localhost:8080"];

describe("linkAddress", () => {
  test.for<[link: string, address: string]>([
    ["https://padaria.example", "https://padaria.example/"],
    ["HTTP://PADARIA.example:80/Pão", "http://padaria.example/P%C3%A3o"],
    ["https:///padaria.example/promo", "https://padaria.example/promo"],
    ["https://padaria.example/a/../b?c=d#e", "https://padaria.example/b?c=d#e"],
    [
      "https://padaria.example/?from=C:\\fotos#a\\b",
      "https://padaria.example/?from=C:\\fotos#a\\b",
    ],
    ["https://padaria.example/@ana", "https://padaria.example/@ana"],
    ["https://pão.example/", "https://xn--po-sia.example/"],
    [" \nhttps://padaria.example/\t", "https://padaria.example/"],
  ])("opens %j at the same address from a page of any origin", ([link, address]) => {
    for (const origin of origins) expect(linkAddress(link, origin)).toBe(address);
    expect(isLink(link)).toBe(true);
  });

  test.for<[link: string, path: string]>([
    ["/", "/"],
    [" /promo ", "/promo"],
    ["/pão?a=b#c", "/p%C3%A3o?a=b#c"],
    ["/a b", "/a%20b"],
    ["/..//padaria.example", "//padaria.example"],
    ["/busca?em=\\fotos", "/busca?em=\\fotos"],
    ["/@ana", "/@ana"],
    ["/https:/padaria.example", "/https:/padaria.example"],
  ])("opens %j on the page's own origin", ([link, path]) => {
    for (const origin of origins) expect(linkAddress(link, origin)).toBe(`${origin}${path}`);
    expect(isLink(link)).toBe(true);
  });

  test.for([
    "",
    " ",
    "promo",
    "./promo",
    "?a=b",
    "#a",
    // A page of https would open these on its own site, a page of http on padaria.example.
    "https:/padaria.example/promo",
    "https:padaria.example",
    "HTTPS:/padaria.example",
    "http:/padaria.example",
    // These lead to another site, though they look like paths.
    "//padaria.example",
    "/\\padaria.example",
    "\\\\padaria.example",
    "/\t/padaria.example",
    "/\n/padaria.example",
    "https:\t//padaria.example",
    // A browser reads a backslash as a slash.
    "\\promo",
    "/fotos\\pao.jpg",
    "https:\\\\padaria.example",
    "https://padaria.example\\promo",
    "https://padaria.example\\@evil.example",
    // The user name looks like the site's name; a password would reach every visitor.
    "https://ana:segredo@padaria.example/",
    "https://loja.example@evil.example/",
    "https://:segredo@padaria.example/",
    // A browser reads this as a path of the page's folder.
    "\u00a0https://padaria.example",
    "\u3000/promo",
    // Node reads these hosts, a browser does not.
    'https://pada"ria.example',
    "https://pada*ria.example",
    "/promo\ud83d",
    "https://padaria.example/\u0000a",
    "https://",
    "https://[",
    "https://padaria.example:99999/",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "blob:https://loja.example/1",
    "file:///etc/passwd",
    "ftp://padaria.example/",
    "mailto:ana@padaria.example",
  ])("refuses %j on a page of any origin", (link) => {
    expect(origins.map((origin) => linkAddress(link, origin))).toEqual([null, null]);
    expect(isLink(link)).toBe(false);
  });
});
