import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { contrast } from "../pages/install/contrast.ts";

const css = readFileSync(fileURLToPath(import.meta.resolve("@sineta/look/theme.css")), "utf8");

/** A token's colour in light and in dark. */
function colorOf(token: string): { light: string; dark: string } {
  const found = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css);
  const [, light, dark] = found ?? [];
  if (light === undefined || dark === undefined) throw new Error(`no colour is called ${token}`);
  return { light, dark };
}

const grounds = ["paper", "card", "soft"];
const words = ["ink", "muted", "brass", "ok", "warning", "error"];

describe.each(["light", "dark"] as const)("the theme in %s", (scheme) => {
  it.each(words.flatMap((word) => grounds.map((ground) => [word, ground])))(
    "lets people read %s on %s (WCAG 2.2, 1.4.3)",
    (word, ground) => {
      expect(contrast(colorOf(word)[scheme], colorOf(ground)[scheme])).toBeGreaterThanOrEqual(4.5);
    },
  );

  it("lets people read a button's paper on its ink, and on the red of what destroys", () => {
    const paper = colorOf("paper")[scheme];
    expect(contrast(paper, colorOf("ink")[scheme])).toBeGreaterThanOrEqual(7);
    expect(contrast(paper, colorOf("error")[scheme])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["brass-line", "second"])(
    "lets people see lines of %s on page and card (WCAG 2.2, 1.4.11)",
    (line) => {
      for (const ground of ["paper", "card"]) {
        expect(contrast(colorOf(line)[scheme], colorOf(ground)[scheme])).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it("lets people read initials on their pale brass", () => {
    expect(
      contrast(colorOf("brass")[scheme], colorOf("brass-pale")[scheme]),
    ).toBeGreaterThanOrEqual(4.5);
  });
});
