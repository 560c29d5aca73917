import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./tab-links.module.css";

/** Shows links to pages that belong together in one line, and marks the link of the open page. */
export function TabLinks({
  label,
  tabs,
}: {
  /** Of the navigation. */
  label: string;
  tabs: readonly { to: NonNullable<LinkProps["to"]>; name: ReactNode }[];
}) {
  return (
    <nav aria-label={label} className={classes.line}>
      <ul className={classes.list}>
        {tabs.map(({ to, name }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.link}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ className: `${classes.link} ${classes.active}` }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
