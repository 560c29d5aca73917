import { expect, test } from "vitest";
import { validateComposeSearch } from "./search.ts";

const id = "0199c0de-0000-7000-8000-00000000000a";

test("drafts and notices are named by their ids, and nothing else is taken", () => {
  const search = { rascunho: id, copiar: id.toUpperCase(), editar: id };
  expect(validateComposeSearch(search)).toEqual(search);
  for (const other of ["../audit/export", `${id}/../..`, `x${id}`, `${id}?a`, "", 7, null, [id]]) {
    expect(validateComposeSearch({ rascunho: other, copiar: other, editar: other })).toEqual({});
  }
});
