import "@mantine/core/styles/ColorSwatch.css";
import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import type { DayFigures } from "@sineta/protocol";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";

/** Who came, upwards; who was lost and why, downwards. The figures stand in a table beside it. */
export function DaysChart({ days }: { days: readonly DayFigures[] }) {
  const { audience } = useTexts();
  const { language } = useLanguage();
  const format = useFormat();
  const short = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const data = days.map((day) => ({
    day: short.format(new Date(day.day)),
    registered: day.registered,
    returned: day.returned,
    left: -day.left,
    gone: -day.gone,
    removed: -day.removed,
  }));
  return (
    <BarChart
      h="100%"
      data={data}
      dataKey="day"
      type="stacked"
      withLegend
      // In their own order.
      legendProps={{ itemSorter: null }}
      gridAxis="x"
      tickLine="none"
      valueFormatter={(value) => format.number(Math.abs(value))}
      yAxisProps={{ width: 64, allowDecimals: false }}
      barChartProps={{ stackOffset: "sign", accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
      series={[
        { name: "registered", label: audience.registered, color: "indigo.6" },
        { name: "returned", label: audience.returned, color: "teal.6" },
        { name: "left", label: audience.left, color: "orange.6" },
        { name: "gone", label: audience.gone, color: "gray.6" },
        { name: "removed", label: audience.removed, color: "red.7" },
      ]}
    />
  );
}
