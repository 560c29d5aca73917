import { areas, bases, type Area } from "./areas.ts";
import { chosenLanguage, type Language } from "./language.ts";
import type { Texts } from "./pt/index.ts";

/** The console's words for people. Portuguese is the dictionary; the others translate it. */
export type { Texts };

/** What is loaded of each language. */
const loaded = new Map<Language, Texts>();
/** What the pages that were opened so far need. */
const wanted = new Set<Area>();
let current: Language = chosenLanguage();

async function load(language: Language): Promise<Texts> {
  const [base, ...parts] = await Promise.all([
    bases[language](),
    ...Array.from(wanted, async (area) => ({ [area]: await areas[language][area]() })),
  ]);
  // Several may be under way: the page has one of them, and is to find in it what the others bring.
  const texts: Texts = loaded.get(language) ?? Object.assign(Object.create(null), base);
  loaded.set(language, texts);
  return Object.assign(texts, ...parts);
}

/** Loads a language, as far as the pages need it that were opened so far. It is the page's from then on. */
export async function loadTexts(language: Language): Promise<Texts> {
  const texts = await load(language);
  current = language;
  document.documentElement.lang = language;
  return texts;
}

/** Loads the words that a page needs beside those of the frame: to be awaited before it is drawn. */
export async function loadAreas(needed: readonly Area[]): Promise<void> {
  for (const area of needed) wanted.add(area);
  await load(current);
}
