import classes from "./charts.module.css";

/** Stands before a name in the key of a chart. */
export function Swatch({
  color,
  edge = color,
}: {
  /** A CSS colour. */
  color: string;
  /** A CSS colour, for the line around a pale area. */
  edge?: string;
}) {
  return <span className={classes.swatch} style={{ background: color, borderColor: edge }} />;
}
