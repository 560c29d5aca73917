import { useId, useState } from "react";
import { DayField } from "../../../parts/dates/day-field.tsx";
import { TimeField } from "../../../parts/dates/time-field.tsx";
import { isoOf } from "../../../parts/dates/day.ts";
import { useNow } from "../../../parts/use-now.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { momentOf, partsOf } from "../logic/moment-field.ts";
import classes from "./fields.module.css";

/** The day and the time of a moment. */
export function MomentFields({
  at,
  hint,
  error,
  onChange,
}: {
  /** As `momentField` has it, or "". */
  at: string;
  hint: string;
  error: string | undefined;
  /** Gets a whole moment, or "" while the day or the time is missing. */
  onChange: (at: string) => void;
}) {
  const { compose } = useTexts();
  const today = isoOf(new Date(useNow(60_000)));
  const [parts, setParts] = useState(() => partsOf(at));
  const [given, setGiven] = useState(at);
  /** Until then a day begins at nine. */
  const [isTimeTyped, setTimeTyped] = useState(at !== "");
  const hintId = useId();
  if (at !== given) {
    setGiven(at);
    setParts(partsOf(at));
  }
  const change = (changed: Partial<typeof parts>) => {
    const next = { ...parts, ...changed };
    const moment = momentOf(next);
    setParts(next);
    setGiven(moment);
    onChange(moment);
  };
  const isTimeMissing = parts.day !== "" && parts.time === "";
  return (
    <fieldset className={classes.moment} aria-label={compose.at} aria-describedby={hintId}>
      <DayField
        label={compose.day}
        value={parts.day}
        nearest="next"
        min={today}
        error={isTimeMissing ? undefined : error}
        onChange={(day) => change(isTimeTyped ? { day } : { day, time: day === "" ? "" : "09:00" })}
      />
      <TimeField
        label={compose.time}
        value={parts.time}
        error={isTimeMissing ? error : undefined}
        onChange={(time) => {
          setTimeTyped(true);
          change({ time });
        }}
      />
      <p id={hintId} className={classes.hint}>
        {hint}
      </p>
    </fieldset>
  );
}
