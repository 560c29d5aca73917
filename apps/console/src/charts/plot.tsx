import type { PointerEvent, ReactNode } from "react";
import classes from "./charts.module.css";
import { placeOf, type Scale } from "./scale.ts";

/** Room for the labels below the columns, in CSS pixels. */
const labelHeight = 26;

/** A label of the horizontal axis: of a column, or of an edge between two. */
export type ColumnLabel = {
  /** Of the column. Subtract 0.5 for the left edge of that column. */
  index: number;
  text: string;
};

/**
 * A picture of columns side by side, with a line and a figure for each tick of the vertical axis. It is hidden from screen readers:
 * a table beside it says the same. Widths are shares of the whole, so no script measures the page.
 */
export function Plot({
  height,
  count,
  scale: { yOf, ticks },
  tickText,
  labels,
  pointed,
  onPoint,
  children,
}: {
  /** Of the columns, in CSS pixels. */
  height: number;
  /** How many columns there are. */
  count: number;
  scale: Scale;
  tickText: (tick: number) => string;
  labels: readonly ColumnLabel[];
  /** The column under the pointer. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
  /** SVG, in shares of the width and CSS pixels of the height. */
  children: ReactNode;
}) {
  // A tap chooses a column, and a second tap on it leaves it. A mouse needs no button.
  const tap = (event: PointerEvent<SVGSVGElement>) => {
    if (event.pointerType !== "touch") return;
    const index = columnAt(event, count);
    onPoint(index === pointed ? null : index);
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (event.pointerType !== "touch") onPoint(columnAt(event, count));
  };
  return (
    <div className={classes.plot} aria-hidden="true">
      <svg className={classes.axis} height={height + labelHeight}>
        {ticks.map((tick) => (
          <text key={tick} x="100%" y={yOf(tick)} dy="0.32em" textAnchor="end">
            {tickText(tick)}
          </text>
        ))}
      </svg>
      <svg
        className={classes.columns}
        height={height + labelHeight}
        onPointerDown={tap}
        onPointerMove={move}
        onPointerLeave={({ pointerType }) => pointerType !== "touch" && onPoint(null)}
      >
        {ticks.map((tick) => (
          <line
            key={tick}
            className={tick === 0 ? classes.zero : classes.line}
            x2="100%"
            y1={yOf(tick)}
            y2={yOf(tick)}
          />
        ))}
        {children}
        {pointed !== null && pointed < count && (
          <Pointed place={placeOf(pointed, count, 0)} height={height} />
        )}
        {labels.map(({ index, text }, place) => (
          <text
            key={index}
            // Where more than two labels do not fit, every second one stays, and the last.
            className={
              labels.length > 2 && (labels.length - place) % 2 === 0
                ? classes.dispensable
                : undefined
            }
            x={`${xOfLabel(index, count)}%`}
            y={height + labelHeight}
            dy="-0.4em"
            textAnchor={anchorOf(index, count)}
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}

function columnAt({ clientX, currentTarget }: PointerEvent<SVGSVGElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const index = Math.floor(((clientX - left) / width) * count);
  return Math.max(0, Math.min(count - 1, index));
}

function Pointed({ place, height }: { place: ReturnType<typeof placeOf>; height: number }) {
  const { x, width } = place;
  return <rect className={classes.pointed} x={`${x}%`} width={`${width}%`} height={height} />;
}

/** A label at either end is aligned so that it stays inside the picture. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (count === 1 && index === 0) return "middle";
  if (index >= count - 1) return "end";
  return index <= 0 ? "start" : "middle";
}

function xOfLabel(index: number, count: number): number {
  const anchor = anchorOf(index, count);
  if (anchor === "middle") return ((index + 0.5) / count) * 100;
  return anchor === "start" ? 0 : 100;
}
