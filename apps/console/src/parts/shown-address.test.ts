import { expect, test } from "vitest";
import { shownAddress } from "./shown-address.ts";

const base = "https://site.example/painel/avisos/novo";

test.for([
  "/v1/projects/default/audit/export",
  "/x/../v1/projects/default/audit/export",
  "//site.example/v1/projects/default/audit/export",
  "https://site.example/%76%31/projects",
  "../../v1/projects",
  "/\\site.example/v1/projects",
  "/v1",
  "https://[",
  "/%",
])("%s is loaded as no picture", (address) => {
  expect(shownAddress(address, base)).toBeNull();
});

test.for([
  "/images/abc.webp",
  "/v10/bread.png",
  "https://site.example/icon.png",
  "https://other.example/v1/bread.png",
])("%s is", (address) => {
  expect(shownAddress(address, base)).toBe(address);
});
