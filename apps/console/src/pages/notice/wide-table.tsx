import type { ReactNode } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./wide-table.module.css";

/** A table that may be broader than a phone: then it is scrolled, by keyboard too. @param title what it is of */
export function WideTable({ title, children }: { title: string; children: ReactNode }) {
  const { notices } = useTexts();
  return (
    <section
      className={classes.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Else no key would scroll it.
      tabIndex={0}
      aria-label={notices.tableOf(title)}
    >
      <table className={classes.table}>{children}</table>
    </section>
  );
}
