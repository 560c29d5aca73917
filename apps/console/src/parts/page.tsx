import type { ReactNode } from "react";
import { useTexts } from "../texts/use-texts.tsx";
import classes from "./page.module.css";
import { isolated } from "./isolated.ts";

/** A page behind log-in: its title, what can be done there, and the rest of it. */
export function Page({
  title,
  titleDir = "auto",
  status,
  actions,
  action,
  children,
}: {
  title: string;
  titleDir?: "auto" | "ltr" | "rtl" | undefined;
  /** Stands beside the title. */
  status?: ReactNode;
  actions?: ReactNode;
  /** The page's main action. On a phone it stands at the foot, within a thumb's reach. */
  action?: ReactNode;
  children: ReactNode;
}) {
  const { frame } = useTexts();
  const hasAction = action !== undefined && action !== false;
  return (
    <>
      <title>{frame.title(isolated(title))}</title>
      <header className={classes.header}>
        <div className={classes.heading}>
          {/* Gets the focus when the page changes (app/router.tsx). */}
          <h1 className={classes.title} tabIndex={-1} dir={titleDir}>
            {title}
          </h1>
          {status}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
        {hasAction && <div className={classes.action}>{action}</div>}
      </header>
      <div className={classes.content}>{children}</div>
    </>
  );
}
