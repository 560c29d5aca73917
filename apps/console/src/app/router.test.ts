import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { areas } from "../texts/areas.ts";

const areaNames = Object.keys(areas["pt-BR"]);
const routerFile = fileURLToPath(new URL("router.tsx", import.meta.url));
const router = readFileSync(routerFile, "utf8");

/** The files of this folder that a file imports, at once or later. */
function importsOf(file: string, source: string): string[] {
  return Array.from(source.matchAll(/(?:from|import\() ?"(\.[^"]+\.tsx?)"/g), ([, path = ""]) =>
    fileURLToPath(new URL(path, `file://${file}`)),
  ).filter(existsSync);
}

/** The areas of words that a page takes, with all that it imports. */
function areasOf(page: string): string[] {
  const seen = new Set<string>();
  const taken = new Set<string>();
  const waiting = [page];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || file === routerFile) continue;
    seen.add(file);
    const source = readFileSync(file, "utf8");
    for (const [, names = ""] of source.matchAll(/\{([^{}]*)\} = useTexts\(\)/g)) {
      for (const name of areaNames) if (new RegExp(`\\b${name}\\b`).test(names)) taken.add(name);
    }
    waiting.push(...importsOf(file, source));
  }
  return [...taken].toSorted();
}

const pages = Array.from(
  router.matchAll(/(?:withTexts\(\s*\[([^\]]*)\],\s*)?import\("(\.\.\/pages\/[^"]+)"\)/g),
  ([, loaded = "", path = ""]) => ({
    path,
    loaded: areaNames.filter((name) => loaded.includes(`"${name}"`)),
  }),
);
/** Around the pages of its folder. */
const settings = pages.find(({ path }) => path.endsWith("/settings-page.tsx"));

test("the router has pages, and one around the settings", () => {
  expect(pages.length).toBeGreaterThan(12);
  expect(settings?.loaded).toContain("settings");
});

test.for(pages)("the words that $path takes are loaded before it", ({ path, loaded }) => {
  const around = path.includes("/settings/") ? (settings?.loaded ?? []) : [];
  const taken = areasOf(fileURLToPath(new URL(path, import.meta.url)));
  expect(taken.filter((area) => ![...loaded, ...around].includes(area))).toEqual([]);
});
