import { useState } from "react";
import { Bar } from "../../charts/bar.tsx";
import charts from "../../charts/charts.module.css";
import { evenTicks } from "../../charts/even-ticks.ts";
import { Line } from "../../charts/line.tsx";
import { Plot } from "../../charts/plot.tsx";
import { placeOf, scaleOf, type Scale } from "../../charts/scale.ts";
import { LineSwatch, Swatch } from "../../charts/swatch.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import type { Bucket, Buckets } from "./buckets.ts";

/** Up to so many are told side by side, in bars: a line of one hour would show nothing. */
const mostBars = 12;
const height = 224;

/** In the order in which it happens. A lone line needs more contrast than a bar, and dashes. */
const series = [
  { name: "accepted", color: "var(--second)", line: "var(--second)", dashes: undefined },
  { name: "displayed", color: "var(--brass-bright)", line: "var(--brass-line)", dashes: undefined },
  { name: "clicked", color: "var(--ink)", line: "var(--ink)", dashes: "6 3" },
  { name: "closed", color: "var(--muted)", line: "var(--muted)", dashes: "2 3" },
] as const;

/** What was counted in each hour or day: a picture, whose figures stand in the table beside it. */
export function OverTimeChart({ size, buckets }: Buckets) {
  const { notices } = useTexts();
  const format = useFormat();
  const [pointed, setPointed] = useState<number | null>(null);
  const most = Math.max(...buckets.flatMap((bucket) => series.map(({ name }) => bucket[name])));
  const scale = scaleOf(0, most, height);
  const nameOf = ({ atMs }: Bucket) => (size === "hour" ? format.time(atMs) : format.date(atMs));
  const isOfBars = buckets.length <= mostBars;
  const labelOf = ({ atMs }: Bucket) =>
    size === "hour" ? format.time(atMs) : format.shortDay(atMs);
  const labelled = new Set(evenTicks(buckets.length, 4));
  const bucket = pointed === null ? undefined : buckets[pointed];
  const unit = size === "hour" ? notices.perHour : notices.perDay;
  return (
    <>
      <p className={charts.legend} aria-hidden="true">
        <span>{bucket === undefined ? unit : nameOf(bucket)}</span>
        {series.map(({ name, color, line, dashes }) => (
          <span key={name} className={charts.key}>
            {isOfBars ? <Swatch color={color} /> : <LineSwatch color={line} dashes={dashes} />}
            {notices[name]}
            {bucket !== undefined && ` ${format.number(bucket[name])}`}
          </span>
        ))}
      </p>
      <Plot
        height={height}
        count={buckets.length}
        scale={scale}
        tickText={(tick) => format.compact(tick)}
        labels={buckets.flatMap((each, index) =>
          labelled.has(index) ? [{ index, text: labelOf(each) }] : [],
        )}
        pointed={pointed}
        onPoint={setPointed}
      >
        {isOfBars ? (
          <Bars buckets={buckets} scale={scale} />
        ) : (
          series.map(({ name, line, dashes }) => (
            <Line
              key={name}
              values={buckets.map((each) => each[name])}
              height={height}
              scale={scale}
              color={line}
              dashes={dashes}
            />
          ))
        )}
      </Plot>
    </>
  );
}

function Bars({ buckets, scale }: { buckets: readonly Bucket[]; scale: Scale }) {
  // A few buckets are not as wide as the whole chart.
  const gap = Math.max(0.3, 1 - 0.14 * buckets.length);
  return buckets.map((bucket, index) => {
    const group = placeOf(index, buckets.length, gap);
    const width = group.width / series.length;
    return series.map(({ name, color }, place) => (
      <Bar
        key={`${bucket.atMs} ${name}`}
        x={group.x + place * width}
        width={width}
        value={bucket[name]}
        scale={scale}
        color={color}
      />
    ));
  });
}
