/** With their own names. */
export const languages = [
  ["pt-BR", "Português"],
  ["en", "English"],
  ["es", "Español"],
] as const;
export type Language = (typeof languages)[number][0];

const storageKey = "sineta-console-language";

/** What was chosen in this browser; Portuguese unless it was another. */
export function chosenLanguage(): Language {
  try {
    const chosen = localStorage.getItem(storageKey);
    return languages.find(([language]) => language === chosen)?.[0] ?? "pt-BR";
  } catch {
    return "pt-BR";
  }
}

/** A browser that keeps nothing asks again next time. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Kept for this page only.
  }
}
