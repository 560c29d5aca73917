import { Link, useLocation, type LinkProps } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";
import classes from "./tab-links.module.css";

/**
 * Shows links to pages that belong together in one line, and marks the link of the open page. On a narrow page the line
 * scrolls sideways, with that link in view.
 */
export function TabLinks({
  label,
  tabs,
}: {
  /** Of the navigation. */
  label: string;
  tabs: readonly { to: NonNullable<LinkProps["to"]>; name: ReactNode }[];
}) {
  const open = useLocation({ select: ({ pathname }) => pathname });
  const index = tabs.findIndex(({ to }) => to === open);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const line = list.current;
    const tab = line?.children[index];
    if (!line || !(tab instanceof HTMLElement)) return undefined;
    // Calls at once, and whenever the page gets narrower or wider.
    const sizes = new ResizeObserver(() => {
      line.scrollLeft = tab.offsetLeft - (line.clientWidth - tab.offsetWidth) / 2;
    });
    sizes.observe(line);
    return () => sizes.disconnect();
  }, [index]);
  return (
    <nav aria-label={label} className={classes.line}>
      <ul ref={list} className={classes.list}>
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
