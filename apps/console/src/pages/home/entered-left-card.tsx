import { SegmentedControl, Skeleton, VisuallyHidden } from "@mantine/core";
import type { DayFigures } from "@sineta/protocol";
import { useState } from "react";
import charts from "../../charts/charts.module.css";
import { Swatch } from "../../charts/swatch.tsx";
import { Card } from "../../parts/card.tsx";
import { Empty } from "../../parts/empty.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { DaysTable } from "./days-table.tsx";
import { EnteredLeftChart } from "./entered-left-chart.tsx";
import { localDay } from "./local-day.ts";
import type { Range } from "./queries.ts";
import { sumOf } from "./sums.ts";
import classes from "./home.module.css";

/** How many entered and how many left, in all and day by day. */
export function EnteredLeftCard({
  days,
  isStale,
  range,
  onRange,
}: {
  /** Undefined until they are known. */
  days: readonly DayFigures[] | undefined;
  /** Whether these are the days of another range. */
  isStale: boolean;
  range: Range;
  onRange: (range: Range) => void;
}) {
  const { audience } = useTexts();
  const [pointed, setPointed] = useState<number | null>(null);
  // Hundreds of cells are drawn when the operator opens the table.
  const [isTableOpen, setIsTableOpen] = useState(false);
  const day = pointed === null ? undefined : days?.[pointed];
  const { came, lost } = sumOf(days ?? []);
  return (
    <Card
      title={audience.enteredAndLeft}
      actions={
        <>
          {days !== undefined && !isStale && (
            <Sums days={day === undefined ? days : [day]} day={day?.day} />
          )}
          <SegmentedControl
            aria-label={audience.range}
            value={String(range)}
            onChange={(value) => {
              setPointed(null);
              onRange(value === "90" ? 90 : 30);
            }}
            data={([30, 90] as const).map((count) => ({
              value: String(count),
              label: audience.lastDays(count),
            }))}
          />
        </>
      }
    >
      {days === undefined && <Skeleton h="13rem" />}
      {days !== undefined && came + lost === 0 && (
        <Empty drawing="chart" sentence={audience.nobodyMoved} />
      )}
      {days !== undefined && came + lost > 0 && (
        <>
          <figure className={classes.figure} data-stale={isStale}>
            <VisuallyHidden component="figcaption">
              {audience.chartLabel(days.length)}
            </VisuallyHidden>
            <EnteredLeftChart days={days} pointed={pointed} onPoint={setPointed} />
          </figure>
          <details onToggle={({ currentTarget }) => setIsTableOpen(currentTarget.open)}>
            <summary className={classes.summary}>{audience.asTable}</summary>
            <p className={classes.soft}>{audience.renewedWhat}</p>
            {isTableOpen && <DaysTable days={days} />}
          </details>
        </>
      )}
    </Card>
  );
}

/** The key of the picture, and the figures: of all days, or of the one under the pointer. */
function Sums({ days, day }: { days: readonly DayFigures[]; day: string | undefined }) {
  const { audience } = useTexts();
  const format = useFormat();
  const { came, lost } = sumOf(days);
  return (
    <p className={`${charts.legend} ${classes.sums}`}>
      {day !== undefined && <span>{format.shortDay(localDay(day))}</span>}
      <span className={charts.key}>
        <Swatch color="var(--brass-bright)" />
        {audience.entered(came, format.number(came))}
      </span>
      <span className={charts.key}>
        <Swatch color="var(--second)" />
        {audience.gotLost(lost, format.number(lost))}
      </span>
    </p>
  );
}
