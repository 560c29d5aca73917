import "@mantine/core/styles/ColorSwatch.css";
import "@mantine/charts/styles.css";
import { BarChart, LineChart } from "@mantine/charts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import type { Bucket, Buckets } from "./buckets.ts";
import classes from "./notice.module.css";

/** Fewer are told side by side: a line of one hour would show nothing. */
const mostBars = 12;

/** A picture for who sees it: the table beside it says the same. */
export function OverTimeChart({ size, buckets }: Buckets) {
  const { notices } = useTexts();
  const format = useFormat();
  const name = ({ atMs }: Bucket) => (size === "hour" ? format.time(atMs) : format.date(atMs));
  const data = buckets.map((bucket) => Object.assign({ name: name(bucket) }, bucket));
  const isOfBars = buckets.length <= mostBars;
  const common = {
    h: "16rem",
    data,
    dataKey: "name",
    withLegend: true,
    valueFormatter: (value: number) => format.number(value),
    yAxisProps: { allowDecimals: false },
    // In the order in which it happens, not of the alphabet.
    legendProps: { itemSorter: null },
    series: [
      { name: "accepted", label: notices.accepted, color: "var(--second)" },
      {
        name: "displayed",
        label: notices.displayed,
        color: isOfBars ? "var(--brass-bright)" : "var(--brass-line)",
      },
      { name: "clicked", label: notices.clicked, color: "var(--ink)", strokeDasharray: "6 3" },
      { name: "closed", label: notices.closed, color: "var(--muted)", strokeDasharray: "2 3" },
    ],
  };
  // Nothing in a picture is to be reached by keyboard.
  const unreachable = { accessibilityLayer: false };
  return (
    <div className={classes.chart} aria-hidden="true">
      <p className={classes.unit}>{size === "hour" ? notices.perHour : notices.perDay}</p>
      {isOfBars ? (
        <BarChart {...common} barChartProps={unreachable} maxBarWidth={40} />
      ) : (
        <LineChart {...common} lineChartProps={unreachable} curveType="monotone" withDots={false} />
      )}
    </div>
  );
}
