import { expect, test } from "vitest";
import { twoNamesOf } from "./two-names.ts";

test("a site with two names is found, whichever comes first", () => {
  const names = { plain: "https://padaria.example", www: "https://www.padaria.example" };
  expect(twoNamesOf(["http://localhost:3000", names.plain, names.www])).toEqual(names);
  expect(twoNamesOf([names.www, names.plain])).toEqual(names);
});

test.for<readonly string[]>([
  ["https://padaria.example"],
  ["https://padaria.example", "https://loja.padaria.example"],
  ["http://padaria.example", "https://www.padaria.example"],
  ["https://padaria.example", "https://www.padaria.example:8443"],
])("%j is a name for each site", (origins) => {
  expect(twoNamesOf(origins)).toBeNull();
});
