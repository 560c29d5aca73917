import { area, line } from "d3-shape";
import classes from "./charts.module.css";
import type { Scale } from "./scale.ts";

const x = (_: number, index: number) => index;

/** Draws running totals of a `Plot`: from zero at its left edge to each column's right edge, filled down to zero. */
export function Area({
  values,
  height,
  scale: { yOf },
  fill,
  stroke,
}: {
  /** The total at the end of each column. */
  values: readonly number[];
  height: number;
  scale: Scale;
  /** A CSS colour. */
  fill: string;
  /** A CSS colour, for the upper edge. */
  stroke: string;
}) {
  const totals = [0, ...values];
  const surface = area<number>().x(x).y0(yOf(0)).y1(yOf);
  const edge = line<number>().x(x).y(yOf);
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 ${values.length} ${height}`}
      preserveAspectRatio="none"
      overflow="visible"
    >
      <path d={surface(totals) ?? undefined} fill={fill} />
      <path className={classes.stroke} d={edge(totals) ?? undefined} stroke={stroke} />
    </svg>
  );
}
