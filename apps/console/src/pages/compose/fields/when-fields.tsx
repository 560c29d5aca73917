import { SegmentedControl, Skeleton, Switch } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { useNow } from "../../../parts/use-now.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { tomorrowAt } from "../logic/tomorrow.ts";
import type { Written } from "../logic/written.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";
import { Line } from "./line.tsx";

const MomentFields = lazy(() =>
  import("./moment-fields.tsx").then((module) => ({ default: module.MomentFields })),
);

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const choices = ["now", "tomorrow", "choose"] as const;
type Choice = (typeof choices)[number];

/** When it goes out. */
export function WhenFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const format = useFormat();
  const tomorrow = tomorrowAt(9, useNow(60_000));
  const { when, at } = written;
  const isTomorrow = when === "at" && at === tomorrow;
  const [picked, setPicked] = useState<Choice>(() => {
    if (when === "now") return "now";
    return isTomorrow ? "tomorrow" : "choose";
  });
  // At midnight tomorrow becomes today: the field shows that.
  const choice = picked === "tomorrow" && !isTomorrow ? "choose" : picked;
  const chosen = useRef<Pick<Written, "when" | "at"> | null>(null);

  function pick(next: Choice): void {
    // A moment that an operator chose is there again when they come back to it.
    if (choice === "choose" && next !== "choose") chosen.current = { when, at };
    setPicked(next);
    if (next === "now") change({ when: "now" });
    else if (next === "tomorrow") change({ when: "at", at: tomorrow });
    else change(chosen.current ?? { when: "at" });
  }

  return (
    <Line
      title={compose.when}
      choice={
        <>
          <SegmentedControl
            aria-label={compose.when}
            value={choice}
            onChange={(value) => pick(choices.find((each) => each === value) ?? "now")}
            data={choices.map((value) => ({ value, label: compose.whenChoices[value] }))}
          />
          {choice === "tomorrow" && (
            <span className={classes.soft}>{compose.inZone(format.dateTime(at), ownZone)}</span>
          )}
        </>
      }
    >
      {choice === "choose" && (
        <>
          <Suspense fallback={<Skeleton height={104} />}>
            <MomentFields
              at={at}
              hint={when === "local" ? compose.localHint : compose.atHint(ownZone)}
              error={flaw("scheduleAt") ?? flaw("scheduleAtLocal")}
              onChange={(moment) => change({ at: moment })}
            />
          </Suspense>
          <Switch
            label={compose.local}
            checked={when === "local"}
            onChange={(event) => change({ when: event.currentTarget.checked ? "local" : "at" })}
          />
        </>
      )}
    </Line>
  );
}
