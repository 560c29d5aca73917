import classes from "./charts.module.css";

/** Stands before a name in the key of bars. @param color a CSS colour */
export function Swatch({ color }: { color: string }) {
  return <span className={classes.swatch} style={{ background: color }} />;
}

/** Stands before a name in the key of lines. */
export function LineSwatch({
  color,
  dashes,
}: {
  /** A CSS colour. */
  color: string;
  /** As SVG has it, such as `6 3`. */
  dashes?: string | undefined;
}) {
  return (
    <svg width="20" height="10" aria-hidden="true">
      <line
        className={classes.stroke}
        x2="20"
        y1="5"
        y2="5"
        stroke={color}
        strokeDasharray={dashes}
      />
    </svg>
  );
}
