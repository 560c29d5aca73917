import type { ReactNode } from "react";
import { useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { dateTextOf } from "./date-text.ts";
import { TypedField } from "./typed-field.tsx";

/** A time of day, typed as the console's language writes it. */
export function TimeField({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  /** `HH:MM`, with seconds if there are any, or "". */
  value: string;
  error?: ReactNode;
  /** Gets "" while the text is no time. */
  onChange: (value: string) => void;
}) {
  const { frame } = useTexts();
  const { time, readTime } = dateTextOf(useLanguage().language);
  const example = time("09:00");
  return (
    <TypedField
      label={label}
      value={value}
      writing={{ write: time, read: readTime }}
      placeholder={example}
      unreadable={frame.dates.noTime(example)}
      error={error}
      onChange={onChange}
    />
  );
}
