// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { ownAddressElsewhere } from "./own-address.ts";

const pageWith = (config: string) => {
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML = `<script type="application/json" id="sineta-config">${config}</script>`;
  return page;
};
const own = ["https://avisos.example", "https://other.example"];
const page = pageWith(JSON.stringify({ ownOrigins: own }));

test("at another address than Sineta's own, its own one is named", () => {
  expect(ownAddressElsewhere(page, { origin: "http://192.0.2.1:8080" })).toBe(own[0]);
  expect(ownAddressElsewhere(page, { origin: "http://avisos.example" })).toBe(own[0]);
});

test("at its own, or where nothing is known of it, nothing is said", () => {
  for (const origin of own) expect(ownAddressElsewhere(page, { origin })).toBeNull();
  const here = { origin: "http://localhost:5174" };
  expect(ownAddressElsewhere(document.implementation.createHTMLDocument(), here)).toBeNull();
  expect(ownAddressElsewhere(pageWith("{}"), here)).toBeNull();
});
