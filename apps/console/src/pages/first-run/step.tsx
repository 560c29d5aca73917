import { mdiCheckCircle, mdiCircleOutline } from "@mdi/js";
import { useId, type ReactNode } from "react";
import { Icon } from "../../parts/icon.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./first-run-page.module.css";

/** A step of the walk: done, or what there is to do. */
export function Step({
  number,
  title,
  isDone,
  isNext,
  children,
}: {
  number: number;
  title: string;
  isDone: boolean;
  /** Whether it is the one to do now. */
  isNext: boolean;
  children: ReactNode;
}) {
  const { firstRun } = useTexts();
  const id = useId();
  return (
    <li
      className={classes.step}
      data-done={isDone}
      data-next={isNext}
      {...(isNext ? { "aria-current": "step" as const } : {})}
    >
      <span className={classes.mark}>
        <Icon path={isDone ? mdiCheckCircle : mdiCircleOutline} size={28} />
      </span>
      <section aria-labelledby={id} className={classes.body}>
        <h2 id={id} className={classes.title}>
          {number}. {title} <output className={classes.state}>{isDone ? firstRun.done : ""}</output>
        </h2>
        {children}
      </section>
    </li>
  );
}
