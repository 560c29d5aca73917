import classes from "./charts.module.css";
import type { Scale } from "./scale.ts";

/** A bar of a `Plot`, from zero to its value: upwards, or downwards if that is negative. */
export function Bar({
  x,
  width,
  value,
  scale: { yOf },
  color,
}: {
  /** Of its left edge, as a share of the plot's width in percent. */
  x: number;
  /** In percent, too. */
  width: number;
  value: number;
  scale: Scale;
  /** A CSS colour. */
  color: string;
}) {
  if (value === 0) return null;
  const [zero, end] = [yOf(0), yOf(value)];
  return (
    <rect
      className={classes.bar}
      x={`${x}%`}
      width={`${width}%`}
      y={Math.min(zero, end)}
      // A value of 1 beside thousands still gets a pixel.
      height={Math.max(1, Math.abs(end - zero))}
      rx="2"
      fill={color}
    />
  );
}
