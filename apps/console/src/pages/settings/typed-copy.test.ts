import { expect, test } from "vitest";
import { createTypedCopy } from "./typed-copy.ts";

const blank = { name: "", days: 30, isOpen: true, scopes: ["send"] };

/** As far as it is used here. */
function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    length: 0,
    clear: () => kept.clear(),
    key: () => null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

test("what was typed is found again, by whoever typed it, until it is forgotten", () => {
  const storage = memory();
  const copy = createTypedCopy(() => storage, "default:1:api-key", blank);
  copy.keep({ name: "loja", scopes: ["read"] });
  expect(copy.find()).toEqual({ name: "loja", scopes: ["read"] });
  expect(createTypedCopy(() => storage, "default:2:api-key", blank).find()).toEqual({});
  copy.forget();
  expect(copy.find()).toEqual({});
});

test.for<[what: string, text: string, found: object]>([
  ["no JSON", "{", {}],
  ["no object", "7", {}],
  ["another version's form", '{"title":"loja","days":7}', { days: 7 }],
  ["other types", '{"name":7,"days":"7","isOpen":[],"scopes":"send"}', {}],
  ["a list of something else", '{"scopes":[1],"name":["loja"]}', {}],
])("of what this form never kept nothing is taken: %s", ([, text, found]) => {
  const storage = memory();
  storage.setItem("sineta-typed:place", text);
  expect(createTypedCopy(() => storage, "place", blank).find()).toEqual(found);
});

test("a browser that keeps nothing stops nobody", () => {
  const copy = createTypedCopy(
    () => {
      throw new DOMException("denied", "SecurityError");
    },
    "place",
    blank,
  );
  copy.keep({ name: "loja" });
  copy.forget();
  expect(copy.find()).toEqual({});
});
