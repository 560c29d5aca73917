import { Paper, VisuallyHidden } from "@mantine/core";
import { useId, type ReactNode } from "react";
import classes from "./card.module.css";

/** A part of a page, by its heading. */
export function Card({
  title,
  isTitleHidden = false,
  actions,
  children,
}: {
  title: string;
  /** Whether it is for screen readers alone, where the content speaks for itself. */
  isTitleHidden?: boolean;
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
          <h2 id={id} className={classes.title} dir="auto">
            {title}
          </h2>
          {actions}
        </header>
      )}
      {children}
    </Paper>
  );
}
