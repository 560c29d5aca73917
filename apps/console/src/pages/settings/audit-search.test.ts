import { expect, test } from "vitest";
import { auditQueryOf, validateAuditSearch, type AuditSearch } from "./audit-search.ts";

test.for<[Record<string, unknown>, AuditSearch]>([
  [{}, {}],
  [{ acao: "api-key.created", more: 1 }, { acao: "api-key.created" }],
  [{ acao: "", quem: 3, de: "yesterday", ate: "2026-13-01" }, {}],
  [
    { quem: "baker@site.example", de: "2026-12-01" },
    { quem: "baker@site.example", de: "2026-12-01" },
  ],
])("an address with %j means %j", ([search, meant]) => {
  expect(validateAuditSearch(search)).toEqual(meant);
});

test("the last day is meant until its end, here", () => {
  const query = auditQueryOf({ acao: "settings.changed", de: "2026-12-01", ate: "2026-12-31" });
  expect(Object.fromEntries(query)).toEqual({
    action: "settings.changed",
    from: new Date(2026, 11, 1).toISOString(),
    until: new Date(2027, 0, 1).toISOString(),
  });
});
