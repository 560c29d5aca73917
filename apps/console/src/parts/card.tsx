import { Paper, VisuallyHidden } from "@mantine/core";
import { useId, type ReactNode } from "react";
import classes from "./card.module.css";
import { Help } from "./help.tsx";

/** A part of a page, by its heading. */
export function Card({
  title,
  isTitleHidden = false,
  help,
  actions,
  children,
}: {
  title: string;
  /** Whether it is for screen readers alone, where the content speaks for itself. */
  isTitleHidden?: boolean;
  /** What explains the title, behind a "?". */
  help?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper component="section" withBorder radius="lg" className={classes.card} aria-labelledby={id}>
      {isTitleHidden ? (
        <VisuallyHidden component="h2" id={id}>
          {title}
        </VisuallyHidden>
      ) : (
        <header className={classes.header}>
          <div className={classes.heading}>
            <h2 id={id} className={classes.title} dir="auto">
              {title}
            </h2>
            {help !== undefined && <Help about={title}>{help}</Help>}
          </div>
          {actions}
        </header>
      )}
      {children}
    </Paper>
  );
}
