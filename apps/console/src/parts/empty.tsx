import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawings.tsx";
import classes from "./empty.module.css";

/** What stands where a list has nothing to show: a drawing, a sentence, and what to do about it. */
export function Empty({
  drawing,
  sentence,
  action,
  headingLevel,
}: {
  drawing: DrawingName;
  sentence: string;
  /** One button, where something can be done. */
  action?: ReactNode;
  /** Where no heading stands above it. */
  headingLevel?: 2 | 3;
}) {
  const Sentence = headingLevel === undefined ? "p" : (`h${headingLevel}` as const);
  return (
    <div className={classes.empty}>
      <Drawing name={drawing} />
      <Sentence className={classes.sentence}>{sentence}</Sentence>
      {action}
    </div>
  );
}
