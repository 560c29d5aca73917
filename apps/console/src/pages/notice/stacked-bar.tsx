import type { MessageProgress } from "@sineta/protocol";
import signs from "./signs.module.css";
import classes from "./stacked-bar.module.css";

const parts = ["accepted", "retry", "gone", "rejected", "failed"] as const;

/** Shares of an audience by what became of them, as a bar. It is a picture: the figures stand beside it. */
export function StackedBar({
  counts,
  registrations,
}: {
  counts: MessageProgress["counts"];
  registrations: number;
}) {
  const all = Math.max(1, registrations);
  return (
    <div className={classes.bar} aria-hidden="true">
      {parts.map((part) => (
        <span
          key={part}
          className={`${signs.outcome} ${classes.part}`}
          data-outcome={part}
          style={{ inlineSize: `${(Math.max(0, counts[part]) / all) * 100}%` }}
        />
      ))}
    </div>
  );
}
