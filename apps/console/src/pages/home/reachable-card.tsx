import { SegmentedControl, Skeleton, Table, VisuallyHidden } from "@mantine/core";
import type { DayFigures } from "@sineta/protocol";
import { memo, useDeferredValue, useId } from "react";
import { Card } from "../../parts/card.tsx";
import { latePart } from "../../parts/late-part.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import type { Range } from "./queries.ts";
import { sumOf } from "./sums.ts";
import classes from "./home.module.css";

/** Comes after the figures, which nobody should wait for: it is larger than the rest of the page together. */
const DaysChart = latePart(
  () => import("./days-chart.tsx").then((part) => part.DaysChart),
  ({ days }: { days: readonly DayFigures[] | undefined }) => days && <Skeleton h="17rem" />,
);

const noDays: readonly DayFigures[] = [];

/** How many can be reached, and how that came about. */
export function ReachableCard({
  live,
  days,
  range,
  onRange,
}: {
  /** Undefined until it is known. */
  live: number | undefined;
  days: readonly DayFigures[] | undefined;
  range: Range;
  onRange: (range: Range) => void;
}) {
  const { audience } = useTexts();
  const format = useFormat();
  const whatId = useId();
  // Hundreds of cells that nobody has opened yet need not be there before all else.
  const tableDays = useDeferredValue(days ?? noDays, noDays);
  const sums = sumOf(days ?? []);
  // Nothing to be seen in it.
  const isEmpty = live === 0 && sums.came === 0 && sums.lost === 0;
  return (
    <Card title={audience.reachableNow}>
      <div className={classes.top}>
        <div>
          <p className={classes.large} aria-describedby={whatId}>
            {live === undefined ? <Skeleton w="9rem" h="3.25rem" /> : format.number(live)}
          </p>
          <p id={whatId} className={classes.soft}>
            {audience.reachableWhat}
          </p>
        </div>
        <SegmentedControl
          aria-label={audience.range}
          value={String(range)}
          onChange={(value) => onRange(value === "90" ? 90 : 30)}
          data={([30, 90] as const).map((count) => ({
            value: String(count),
            label: audience.lastDays(count),
          }))}
        />
      </div>
      <p className={classes.change}>
        {days !== undefined &&
          audience.change(
            range,
            [sums.came, format.number(sums.came)],
            [sums.lost, format.number(sums.lost)],
          )}
      </p>
      {!isEmpty && (
        <figure className={classes.figure}>
          <VisuallyHidden component="figcaption">{audience.chartLabel(range)}</VisuallyHidden>
          <div className={classes.chart} aria-hidden="true">
            <DaysChart days={days} />
          </div>
        </figure>
      )}
      {!isEmpty && (
        <details>
          <summary className={classes.summary}>{audience.asTable}</summary>
          <p className={classes.soft}>{audience.renewedWhat}</p>
          <DaysTable days={tableDays} />
        </details>
      )}
    </Card>
  );
}

/** The newest first. */
const DaysTable = memo(function DaysTable({ days }: { days: readonly DayFigures[] }) {
  const { audience } = useTexts();
  const format = useFormat();
  const columns = [
    "registered",
    "returned",
    "left",
    "gone",
    "removed",
    "renewed",
  ] as const satisfies (keyof DayFigures)[];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, which has to be possible by keyboard.
    <section className={classes.scroll} aria-label={audience.chartTitle} tabIndex={0}>
      <Table striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{audience.day}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
                {audience[column]}
              </Table.Th>
            ))}
            <Table.Th scope="col">{audience.liveAtEnd}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((figures) => (
            <Table.Tr key={figures.day}>
              <Table.Th scope="row">{figures.day}</Table.Th>
              {columns.map((column) => (
                <Table.Td key={column}>{format.number(figures[column])}</Table.Td>
              ))}
              <Table.Td>{format.number(figures.live)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
});
