import { expect, test } from "vitest";
import { cutsOf, looks, shown, shownBy } from "./looks.ts";

test.for([
  ["Pão", 3, "Pão", false],
  ["Pão quente", 3, "Pã…", true],
  ["Pão quente", 5, "Pão…", true],
  ["a\n b", 9, "a b", false],
  ["👩‍🍳👩‍🍳👩‍🍳", 3, "👩‍🍳👩‍🍳👩‍🍳", false],
  ["👩‍🍳👩‍🍳👩‍🍳", 2, "👩‍🍳…", true],
  ["", 2, "", false],
] as const)("%j cut to %i is %j", ([text, most, cut, isCut]) => {
  expect(shown(text, most)).toEqual({ text: cut, isCut });
});

test("each browser shows what it can", () => {
  const notice = {
    title: "Pão",
    body: "x".repeat(200),
    icon: "/i",
    image: "/g",
    actions: ["Comprar", " ", "Ver", "Não"].map((title, at) => ({ action: `a${at}`, title })),
  };
  expect(shownBy(looks["chrome-android"], notice)).toMatchObject({
    image: "/g",
    icon: "/i",
    actions: [
      { action: "a0", title: "Comprar" },
      { action: "a2", title: "Ver" },
    ],
    body: { isCut: true },
  });
  expect(shownBy(looks["chrome-android"], { ...notice, image: "" }).body.isCut).toBe(false);
  expect(shownBy(looks["firefox-windows"], notice)).toMatchObject({ image: null, icon: "/i" });
  expect(shownBy(looks["firefox-windows"], notice).actions).toHaveLength(2);
  expect(shownBy(looks["safari-macos"], notice)).toMatchObject({
    image: null,
    icon: null,
    actions: [],
  });
});

test("a text that is cut names whole systems, and single browsers where the others show it", () => {
  const notice = { title: "x".repeat(60), body: "", icon: "", image: "", actions: [] };
  expect(cutsOf(notice)).toEqual({
    title: [
      { system: "android", browsers: "all" },
      { system: "windows", browsers: ["Firefox"] },
      { system: "macos", browsers: "all" },
    ],
    body: [],
  });
});
