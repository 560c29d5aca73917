import { languages } from "../texts/language.ts";
import { useLanguage, useTexts } from "../texts/use-texts.tsx";
import classes from "./outside.module.css";

/** The language, on pages without the menu. */
export function LanguageChoice() {
  const { frame } = useTexts();
  const { language, choose } = useLanguage();
  return (
    <select
      className={classes.language}
      aria-label={frame.language}
      value={language}
      onChange={({ currentTarget: { value } }) => {
        const chosen = languages.find(([each]) => each === value);
        if (chosen !== undefined) choose(chosen[0]);
      }}
    >
      {languages.map(([value, label]) => (
        <option key={value} value={value} lang={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
