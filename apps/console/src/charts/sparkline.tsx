import { area, line } from "d3-shape";
import classes from "./charts.module.css";

const height = 40;
const x = (_: number, index: number) => index;

/**
 * Shows how a figure went, without an axis: the figure itself stands beside it. It is hidden from screen readers.
 * @param values at least two, the oldest first
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // The highest value lies a little below the edge, for half of the line. The lowest one lies above the foot.
  const [top, foot] = [1, height * 0.8];
  const y = (value: number) => foot - ((foot - top) * (value - least)) / Math.max(1, most - least);
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${values.length - 1} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path
        className={classes.area}
        d={area<number>().x(x).y0(height).y1(y)(values) ?? undefined}
      />
      <path
        className={classes.stroke}
        d={line<number>().x(x).y(y)(values) ?? undefined}
        stroke="var(--brass-line)"
      />
    </svg>
  );
}
