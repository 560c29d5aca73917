import { ActionIcon, Popover } from "@mantine/core";
import { mdiCalendarBlankOutline } from "@mdi/js";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { Icon } from "../icon.tsx";
import { useNow } from "../use-now.ts";
import { dateTextOf, type Nearest } from "./date-text.ts";
import classes from "./dates.module.css";
import { isoOf, today } from "./day.ts";
import { TypedField } from "./typed-field.tsx";

const loadCalendar = () => import("./calendar.tsx");
const Calendar = lazy(() => loadCalendar().then((module) => ({ default: module.Calendar })));

/** A day, typed as the console's language writes it, or chosen in a calendar. */
export function DayField({
  label,
  value,
  nearest,
  min,
  max,
  error,
  onChange,
}: {
  label: string;
  /** `YYYY-MM-DD`, or "". */
  value: string;
  /** Which day is meant where no year is typed. */
  nearest: Nearest;
  /** The first and the last day that the calendar offers. */
  min?: string | undefined;
  max?: string | undefined;
  error?: ReactNode;
  /** Gets "" while the text is no day. */
  onChange: (value: string) => void;
}) {
  const { frame } = useTexts();
  const { day, readDay } = dateTextOf(useLanguage().language);
  const example = day(isoOf(new Date(useNow(60_000))));
  const [isOpen, setOpen] = useState(false);
  return (
    <TypedField
      label={label}
      value={value}
      writing={{ write: day, read: (typed) => readDay(typed, today(), nearest) }}
      placeholder={frame.dates.pattern}
      unreadable={frame.dates.noDay(example)}
      error={error}
      onChange={onChange}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} returnFocus position="bottom-end" withinPortal>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={frame.dates.calendar(label)}
              onPointerEnter={() => void loadCalendar().catch(() => undefined)}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon path={mdiCalendarBlankOutline} size={18} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown className={classes.dropdown ?? ""}>
            {isOpen && (
              <Suspense fallback={<div className={classes.waiting} />}>
                <Calendar
                  value={value}
                  min={min}
                  max={max}
                  onChoose={(chosen) => {
                    onChange(chosen);
                    setOpen(false);
                  }}
                />
              </Suspense>
            )}
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}
