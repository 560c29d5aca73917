import { expect, test } from "vitest";
import { shownAddress } from "./shown-address.ts";

const origin = "https://site.example";

test.for([
  "/v1/projects/default/audit/export",
  "/x/../v1/projects/default/audit/export",
  "//site.example/v1/projects/default/audit/export",
  "https://site.example/%76%31/projects",
  "/\\site.example/v1/projects",
  "https:/site.example/v1/projects",
  "/v1",
  "https://[",
  "/%",
])("%s is loaded as no picture", (address) => {
  expect(shownAddress(address, origin, origin)).toBeNull();
});

test.for([
  ["/images/abc.webp", "https://site.example/images/abc.webp"],
  ["/v10/bread.png", "https://site.example/v10/bread.png"],
  ["https://site.example/icon.png", "https://site.example/icon.png"],
  ["https://other.example/v1/bread.png", "https://other.example/v1/bread.png"],
  ["https://other.example/%", "https://other.example/%"],
] as const)("%s is loaded from %s", ([text, address]) => {
  expect(shownAddress(text, origin, origin)).toBe(address);
});

test("a path is loaded from the site, also where Sineta has a path that is called alike", () => {
  const site = "https://bakery.example";
  expect(shownAddress("/bread.png", origin, site)).toBe(`${site}/bread.png`);
  expect(shownAddress("/v1/bread.png", origin, site)).toBe(`${site}/v1/bread.png`);
  expect(shownAddress("https://site.example/v1/projects", origin, site)).toBeNull();
});
