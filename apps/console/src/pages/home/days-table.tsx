import { Table } from "@mantine/core";
import type { DayFigures } from "@sineta/protocol";
import { memo } from "react";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./home.module.css";
import { localDay } from "./local-day.ts";

/** The same figures as the picture's, and why each of the lost ones was lost; the newest day first. */
export const DaysTable = memo(function DaysTable({ days }: { days: readonly DayFigures[] }) {
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
              <Table.Th scope="row">
                <time dateTime={figures.day} title={format.date(localDay(figures.day))}>
                  {format.shortDay(localDay(figures.day))}
                </time>
              </Table.Th>
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
