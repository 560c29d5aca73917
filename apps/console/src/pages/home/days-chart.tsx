import "@mantine/core/styles/ColorSwatch.css";
import "@mantine/charts/styles.css";
import { BarChart, ChartLegend } from "@mantine/charts";
import type { DayFigures } from "@sineta/protocol";
import { memo, useCallback, useState } from "react";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";
import classes from "./home.module.css";

/**
 * Who came, upwards; who was lost and why, downwards. The figures stand in a table beside it. To draw it takes longer than the rest
 * of the page: that happens when the days change, not whenever the page does.
 */
export const DaysChart = memo(function DaysChart({
  days,
}: {
  /** Undefined until they are known. */
  days: readonly DayFigures[] | undefined;
}) {
  const { audience } = useTexts();
  const { language } = useLanguage();
  const format = useFormat();
  const [highlighted, setHighlighted] = useState<string | number | null>(null);
  const [legendHeight, legendRef] = useHeight();
  const short = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  if (days === undefined) return null;
  const data = days.map((day) => ({
    day: short.format(new Date(day.day)),
    registered: day.registered,
    returned: day.returned,
    left: -day.left,
    gone: -day.gone,
    removed: -day.removed,
  }));
  const series = [
    { name: "registered", label: audience.registered, color: "var(--brass-bright)" },
    { name: "returned", label: audience.returned, color: "var(--ink)" },
    { name: "left", label: audience.left, color: "var(--second)" },
    { name: "gone", label: audience.gone, color: "var(--warning)" },
    { name: "removed", label: audience.removed, color: "var(--error)" },
  ];
  return (
    <>
      {legendHeight !== undefined && (
        <BarChart
          h="100%"
          data={data}
          dataKey="day"
          type="stacked"
          gridAxis="x"
          // There are no vertical lines: without a place for one, it would measure every label to find some.
          gridProps={{ verticalPoints: [0] }}
          tickLine="none"
          valueFormatter={(value) => format.number(Math.abs(value))}
          yAxisProps={{ width: 64, allowDecimals: false }}
          barChartProps={{
            stackOffset: "sign",
            accessibilityLayer: false,
            margin: { top: legendHeight },
          }}
          barProps={({ name }) => {
            const isDimmed = highlighted !== null && highlighted !== name;
            return {
              isAnimationActive: false,
              fillOpacity: isDimmed ? 0.1 : 1,
              strokeOpacity: isDimmed ? 0.2 : 0,
            };
          }}
          tooltipProps={{ wrapperStyle: { zIndex: 1 } }}
          series={series}
        />
      )}
      {/* Not the chart's own, which would draw all bars three times: it learns the legend's height by and by. */}
      <div ref={legendRef} className={classes.legend}>
        <ChartLegend
          payload={series.map(({ name, color }) => ({ dataKey: name, color }))}
          series={series}
          legendPosition="top"
          onHighlight={setHighlighted}
        />
      </div>
    </>
  );
});

/** The height of an element in CSS pixels, undefined before it is drawn, and what to give it as its `ref`. */
function useHeight() {
  const [height, setHeight] = useState<number>();
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = () => setHeight(element.getBoundingClientRect().height);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [height, ref] as const;
}
