import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";
import { createFormat, type Format } from "./format.ts";
import { keepLanguage, type Language } from "./language.ts";
import { loadTexts, type Texts } from "./texts.ts";

type Words = { texts: Texts; language: Language; format: Format; choose(language: Language): void };

const context = createContext<Words | null>(null);

function useWords(): Words {
  const words = useContext(context);
  if (words === null) throw new Error("there is no TextsProvider around this");
  return words;
}

/** Gives every page its words. @param first as they were loaded before the first page is drawn */
export function TextsProvider({
  first,
  children,
}: {
  first: { texts: Texts; language: Language };
  children: ReactNode;
}) {
  const [chosen, setChosen] = useState(first);
  const choose = useCallback((language: Language) => {
    void loadTexts(language).then((texts) => {
      keepLanguage(language);
      setChosen({ texts, language });
    });
  }, []);
  const words = useMemo(
    () => ({ ...chosen, format: createFormat(chosen.language), choose }),
    [chosen, choose],
  );
  return <context.Provider value={words}>{children}</context.Provider>;
}

export function useTexts(): Texts {
  return useWords().texts;
}

/** Numbers and times as the chosen language writes them. */
export function useFormat(): Format {
  return useWords().format;
}

export function useLanguage(): Pick<Words, "language" | "choose"> {
  return useWords();
}

/** What to say of a problem, by its code. */
export function useProblemText(): (code: string) => string {
  const { problems, unknownProblem } = useTexts();
  const textOf: Readonly<Record<string, string>> = problems;
  return (code) => textOf[code] ?? unknownProblem(code);
}
