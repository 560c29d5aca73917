import { Paper } from "@mantine/core";
import { useId, type ReactNode } from "react";
import classes from "./card.module.css";

/** A part of a page, by its heading. */
export function Card({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper component="section" withBorder radius="lg" className={classes.card} aria-labelledby={id}>
      <header className={classes.header}>
        <h2 id={id} className={classes.title} dir="auto">
          {title}
        </h2>
        {actions}
      </header>
      {children}
    </Paper>
  );
}
