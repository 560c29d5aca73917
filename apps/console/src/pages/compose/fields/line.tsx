import { useId, type ReactNode } from "react";
import classes from "./line.module.css";

/** One line of the form, by its heading. What has to be filled in for what was chosen comes below it. */
export function Line({
  title,
  choice,
  children,
}: {
  title: string;
  choice: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.line} aria-labelledby={id}>
      <h2 className={classes.title} id={id}>
        {title}
      </h2>
      <div className={classes.choice}>{choice}</div>
      {children !== undefined && <div className={classes.below}>{children}</div>}
    </section>
  );
}
