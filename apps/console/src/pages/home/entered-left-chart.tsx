import type { DayFigures } from "@sineta/protocol";
import { Bar } from "../../charts/bar.tsx";
import { evenTicks } from "../../charts/even-ticks.ts";
import { Plot } from "../../charts/plot.tsx";
import { placeOf, scaleOf } from "../../charts/scale.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { localDay } from "./local-day.ts";
import { sumOf } from "./sums.ts";

const height = 168;

/** Who entered, upwards, and who left, downwards, day by day. */
export function EnteredLeftChart({
  days,
  pointed,
  onPoint,
}: {
  /** The last one is today. */
  days: readonly DayFigures[];
  /** Index of the day under the pointer. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
}) {
  const { audience } = useTexts();
  const format = useFormat();
  const sums = days.map((day) => sumOf([day]));
  const most = Math.max(...sums.map(({ came }) => came));
  const mostLost = Math.max(...sums.map(({ lost }) => lost));
  const scale = scaleOf(-mostLost, most, height);
  const labelled = new Set(evenTicks(days.length, 4));
  const labelOf = ({ day }: DayFigures, index: number) =>
    index === days.length - 1 ? audience.today : format.shortDay(localDay(day));
  return (
    <Plot
      height={height}
      count={days.length}
      scale={scale}
      tickText={(tick) => format.compact(Math.abs(tick))}
      labels={days.flatMap((day, index) =>
        labelled.has(index) ? [{ index, text: labelOf(day, index) }] : [],
      )}
      pointed={pointed}
      onPoint={onPoint}
    >
      {sums.map(({ came, lost }, index) => {
        const { x, width } = placeOf(index, days.length, 0.3);
        const place = { x, width, scale };
        return (
          <g key={days[index]?.day}>
            <Bar {...place} value={came} color="var(--brass-bright)" />
            <Bar {...place} value={-lost} color="var(--second)" />
          </g>
        );
      })}
    </Plot>
  );
}
