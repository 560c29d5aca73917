import { Area } from "../../charts/area.tsx";
import charts from "../../charts/charts.module.css";
import { Plot } from "../../charts/plot.tsx";
import { scaleOf } from "../../charts/scale.ts";
import { Swatch } from "../../charts/swatch.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import type { Buckets, Total } from "./buckets.ts";
import classes from "./over-time.module.css";
import { labelsOf } from "./time-labels.ts";

const height = 144;

/** The order in which they happen. Each area covers a part of the one before it. */
const series = [
  { name: "accepted", fill: "var(--area-accepted)", stroke: "var(--second)" },
  { name: "displayed", fill: "var(--area-displayed)", stroke: "var(--brass-line)" },
  { name: "clicked", fill: "var(--area-clicked)", stroke: "var(--ink)" },
] as const;

/** Draws how the figures grew. The table beside it has the figures. */
export function OverTimeChart({
  size,
  totals,
  startMs,
  pointed,
  onPoint,
}: {
  size: Buckets["size"];
  totals: readonly Total[];
  /** When the first of them began. */
  startMs: number;
  /** Index of the total under the pointer. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  const most = Math.max(...totals.flatMap((total) => series.map(({ name }) => total[name])));
  const scale = scaleOf(0, most, height);
  const { part, edges } = labelsOf(size, totals, startMs);
  const isOpen = totals.at(-1)?.isOpen === true;
  const labels = edges.map(({ index, atMs }) => {
    const isLast = index === totals.length;
    // A day is named by itself, and not by the midnight that ends it.
    const text = part === "time" ? format.time(atMs) : format.shortDay(isLast ? atMs - 1 : atMs);
    return { index: index - 0.5, text: isLast && isOpen ? notices.now : text };
  });
  return (
    <div className={classes.areas}>
      <Plot
        height={height}
        count={totals.length}
        scale={scale}
        tickText={(tick) => format.compact(tick)}
        // The last label is left out where it would repeat the day before it.
        labels={labels.filter(({ text }, index) => text !== labels[index - 1]?.text)}
        pointed={pointed}
        onPoint={onPoint}
      >
        {series.map(({ name, fill, stroke }) => (
          <Area
            key={name}
            values={totals.map((each) => each[name])}
            height={height}
            scale={scale}
            fill={fill}
            stroke={stroke}
          />
        ))}
      </Plot>
    </div>
  );
}

/** Names the areas, and says the figures of the total under the pointer. */
export function AreasKey({
  pointed,
}: {
  /** Undefined where the pointer is on none. */
  pointed: { total: Total; text: string } | undefined;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  return (
    <p className={`${charts.legend} ${classes.areas} ${classes.key}`} aria-hidden="true">
      {pointed !== undefined && <span>{notices.until(pointed.text)}</span>}
      {series.map(({ name, fill, stroke }) => (
        <span key={name} className={charts.key}>
          <Swatch color={fill} edge={stroke} />
          {notices[name]}
          {pointed !== undefined && ` ${format.number(pointed.total[name])}`}
        </span>
      ))}
    </p>
  );
}
