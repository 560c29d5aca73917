import { expect, test } from "vitest";
import { looks, shown, shownBy } from "./looks.ts";

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
    actions: [{ title: "Comprar" }, { title: " " }, { title: "Ver" }, { title: "Não" }],
  };
  expect(shownBy(looks["chrome-android"], notice)).toMatchObject({
    image: "/g",
    icon: "/i",
    actions: ["Comprar", "Ver"],
    body: { isCut: true },
  });
  expect(shownBy(looks["chrome-android"], { ...notice, image: "" }).body.isCut).toBe(false);
  expect(shownBy(looks.safari, notice)).toMatchObject({ image: null, icon: null, actions: [] });
});
