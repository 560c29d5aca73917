import { expect, it } from "vitest";
import { loaded, noticesReducer, received } from "./notices-slice.ts";

const notice = (id: string, receivedAtMs: number, title = id) => ({
  id,
  title,
  navigate: "https://loja.example/",
  receivedAtMs,
});
const ids = (notices: ReturnType<typeof noticesReducer>) => notices.map(({ id }) => id);

it("puts the newest first, whichever came to the page first", () => {
  const arrived = noticesReducer(undefined, received(notice("c", 3)));
  const all = noticesReducer(arrived, loaded([notice("b", 2), notice("a", 1)]));
  expect(ids(all)).toEqual(["c", "b", "a"]);
  expect(ids(noticesReducer(all, received(notice("d", 4))))).toEqual(["d", "c", "b", "a"]);
});

it("has each notice once, in the version that arrived last", () => {
  const arrived = noticesReducer(undefined, received(notice("a", 1, "old")));
  expect(noticesReducer(arrived, loaded([notice("a", 1, "same")]))).toEqual([
    notice("a", 1, "old"),
  ]);
  expect(noticesReducer(arrived, received(notice("a", 1, "new")))).toEqual([notice("a", 1, "new")]);
});
