import { FocusTrap } from "@mantine/core";
import type { ComponentProps } from "react";
import { DayButton, DayPicker, type DayPickerLocale } from "react-day-picker";
import { enUS } from "react-day-picker/locale/en-US";
import { es } from "react-day-picker/locale/es";
import { ptBR } from "react-day-picker/locale/pt-BR";
import "react-day-picker/style.css";
import type { Language } from "../../texts/language.ts";
import { useLanguage } from "../../texts/use-texts.tsx";
import classes from "./dates.module.css";
import { dateOf, isoOf } from "./day.ts";

/** With what the calendar says to screen readers. */
const locales: Readonly<Record<Language, DayPickerLocale>> = { "pt-BR": ptBR, es, en: enUS };

/** The days of a month. The chosen day has the focus, or today. */
export function Calendar({
  value,
  min,
  max,
  onChoose,
}: {
  /** Days are `YYYY-MM-DD`; "": none is chosen. */
  value: string;
  min: string | undefined;
  max: string | undefined;
  onChoose: (day: string) => void;
}) {
  const { language } = useLanguage();
  const chosen = value === "" ? undefined : dateOf(value);
  return (
    <FocusTrap active>
      <div>
        <DayPicker
          mode="single"
          required
          className={classes.calendar ?? ""}
          locale={locales[language]}
          formatters={{
            formatCaption: (month) => monthOf(month, language),
            formatWeekdayName: (day) => weekdayOf(day, language),
          }}
          fixedWeeks
          showOutsideDays
          selected={chosen}
          {...(chosen === undefined ? {} : { defaultMonth: chosen })}
          disabled={[
            ...(min === undefined ? [] : [{ before: dateOf(min) }]),
            ...(max === undefined ? [] : [{ after: dateOf(max) }]),
          ]}
          onSelect={(day) => onChoose(isoOf(day))}
          components={{ DayButton: Day }}
        />
      </div>
    </FocusTrap>
  );
}

/** A day. The focus begins at the day that the Tab key reaches. */
function Day(props: ComponentProps<typeof DayButton>) {
  return <DayButton {...props} data-autofocus={props.tabIndex === 0 ? true : undefined} />;
}

/** "dezembro de 2026", where the locale has "dezembro 2026". */
function monthOf(month: Date, language: Language): string {
  return month.toLocaleDateString(language, { month: "long", year: "numeric" });
}

/** "sáb", where the locale has "sab". */
function weekdayOf(day: Date, language: Language): string {
  return day.toLocaleDateString(language, { weekday: "short" }).replace(".", "");
}
