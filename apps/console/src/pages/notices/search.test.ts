import { expect, test } from "vitest";
import { filterQuery, hasOnlySigns, validateNoticesSearch } from "./search.ts";

test.for<[search: Record<string, unknown>, kept: object]>([
  [{}, {}],
  [
    { busca: "pão", situacao: "done", publico: "topic" },
    { busca: "pão", situacao: "done", publico: "topic" },
  ],
  [
    { de: "2026-02-01", ate: "2026-02-28" },
    { de: "2026-02-01", ate: "2026-02-28" },
  ],
  // As the router reads digits.
  [{ busca: 42 }, { busca: "42" }],
  [{ busca: "x".repeat(300) }, { busca: "x".repeat(200) }],
  [{ busca: "  ", situacao: "lost", publico: 7, de: "yesterday", ate: "2026-13-40" }, {}],
  [{ de: "2026-02-31", ate: "0001-01-01" }, {}],
  [{ busca: ["a"], de: null, another: "x" }, {}],
])("of the address %j this is kept: %j", ([search, kept]) => {
  expect(validateNoticesSearch(search)).toEqual(kept);
});

test.for<[search: string | undefined, expected: boolean]>([
  ["🍞", true],
  ["♥ ㎏!", true],
  ["%", true],
  ["❤️", true],
  ["pão 🍞", false],
  ["42", false],
  ["新", false],
  [undefined, false],
])("a search for %j has only signs: %j", ([busca, expected]) => {
  expect(hasOnlySigns(busca === undefined ? {} : { busca })).toBe(expected);
});

test("the server is asked for whole days, the last one among them", () => {
  const query = filterQuery({ de: "2026-02-27", ate: "2026-02-28" });
  expect(query.get("from")).toBe(new Date(2026, 1, 27).toISOString());
  expect(query.get("to")).toBe(new Date(2026, 2, 1).toISOString());
});

test("the server is asked for nothing that the address does not say", () => {
  expect(filterQuery({}).toString()).toBe("");
  expect(filterQuery({ busca: "pão & bolo", situacao: "done", publico: "all" }).toString()).toBe(
    "search=p%C3%A3o+%26+bolo&state=done&target=all",
  );
});
