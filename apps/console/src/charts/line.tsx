import { line } from "d3-shape";
import classes from "./charts.module.css";
import type { Scale } from "./scale.ts";

/** Draws one line through the columns of a `Plot`. */
export function Line({
  values,
  height,
  scale: { yOf },
  color,
  dashes,
}: {
  /** One for each column. */
  values: readonly number[];
  height: number;
  scale: Scale;
  /** A CSS colour. */
  color: string;
  /** As SVG has it, such as `6 3`. */
  dashes?: string | undefined;
}) {
  const path = line<number>()
    .x((_, index) => index + 0.5)
    .y(yOf);
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 ${values.length} ${height}`}
      preserveAspectRatio="none"
      overflow="visible"
    >
      <path
        className={classes.stroke}
        d={path(values) ?? undefined}
        stroke={color}
        strokeDasharray={dashes}
      />
    </svg>
  );
}
