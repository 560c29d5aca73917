import {
  mdiAccountOutline,
  mdiBellOutline,
  mdiCogOutline,
  mdiHomeOutline,
  mdiPowerPlugOutline,
  mdiTagOutline,
} from "@mdi/js";
import { Link, useLocation } from "@tanstack/react-router";
import { useId } from "react";
import { Icon } from "../parts/icon.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import classes from "./navigation.module.css";

/** The pages: what one does every day, and what concerns the site. */
export function Navigation() {
  const { frame } = useTexts();
  const siteId = useId();
  // Topics have an address below that of the subscribers, and a place of their own here.
  const isTopics = useLocation({ select: ({ pathname }) => pathname.endsWith("/publico/topicos") });
  const daily = [
    { to: "/", icon: mdiHomeOutline, name: frame.home, exact: true },
    { to: "/avisos", icon: mdiBellOutline, name: frame.notices, exact: false },
    { to: "/publico", icon: mdiAccountOutline, name: frame.audience, exact: isTopics },
    { to: "/publico/topicos", icon: mdiTagOutline, name: frame.topics, exact: true },
  ] as const;
  const site = [
    { to: "/instalar", icon: mdiPowerPlugOutline, name: frame.install, exact: false },
    { to: "/ajustes", icon: mdiCogOutline, name: frame.settings, exact: false },
  ] as const;
  return (
    <nav aria-label={frame.navigation}>
      <ul className={classes.list}>
        {daily.map((page) => (
          <Entry key={page.to} {...page} />
        ))}
      </ul>
      <p id={siteId} className={classes.group}>
        {frame.site}
      </p>
      <ul className={classes.list} aria-labelledby={siteId}>
        {site.map((page) => (
          <Entry key={page.to} {...page} />
        ))}
      </ul>
    </nav>
  );
}

function Entry({
  to,
  icon,
  name,
  exact,
}: {
  to: "/" | "/avisos" | "/publico" | "/publico/topicos" | "/instalar" | "/ajustes";
  icon: string;
  name: string;
  /** Whether pages with an address below it have another entry. */
  exact: boolean;
}) {
  return (
    <li>
      <Link
        to={to}
        className={classes.link}
        activeOptions={{ exact, includeSearch: false }}
        activeProps={{ className: `${classes.link} ${classes.active}` }}
      >
        <Icon path={icon} />
        {name}
      </Link>
    </li>
  );
}
