import { expect, test } from "vitest";
import { siteOrigin } from "./site-origin.ts";

const own = "https://push.padaria.example";
const site = "https://padaria.example";

test.for<[readonly string[], readonly string[], string | undefined]>([
  [[own, site, "https://www.padaria.example"], [own], site],
  [[own, "http://localhost:4000", site], [own, "http://localhost:4000"], site],
  [[own], [own], own],
  [[], [], undefined],
])("of the origins %j, of which Sineta has %j, the site has %s", ([origins, ownOrigins, said]) => {
  expect(siteOrigin({ origins: [...origins], ownOrigins: [...ownOrigins] })).toBe(said);
});
