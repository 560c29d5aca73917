import {
  mdiAccountGroupOutline,
  mdiBellOutline,
  mdiCogOutline,
  mdiHomeOutline,
  mdiPencilOutline,
  mdiPuzzleOutline,
} from "@mdi/js";
import { Link, useLocation } from "@tanstack/react-router";
import { Icon } from "../parts/icon.tsx";
import { useProject } from "../session/operator.ts";
import { useTexts } from "../texts/use-texts.tsx";
import classes from "./navigation.module.css";

/** The pages, by their areas. */
export function Navigation() {
  const { frame } = useTexts();
  const project = useProject();
  // Writing a notice has an address below that of the notices, and a place of its own here.
  const isWriting = useLocation({ select: ({ pathname }) => pathname.endsWith("/avisos/novo") });
  const pages = [
    { to: "/", icon: mdiHomeOutline, name: frame.home, exact: true },
    ...(project.may("editor")
      ? [
          {
            to: "/avisos/novo",
            icon: mdiPencilOutline,
            name: frame.newNotice,
            exact: true,
          } as const,
        ]
      : []),
    { to: "/avisos", icon: mdiBellOutline, name: frame.notices, exact: isWriting },
    { to: "/publico", icon: mdiAccountGroupOutline, name: frame.audience, exact: false },
    { to: "/instalar", icon: mdiPuzzleOutline, name: frame.install, exact: false },
    { to: "/ajustes", icon: mdiCogOutline, name: frame.settings, exact: false },
  ] as const;
  return (
    <nav aria-label={frame.navigation}>
      <ul className={classes.list}>
        {pages.map(({ to, icon, name, exact }) => (
          <li key={to}>
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
        ))}
      </ul>
    </nav>
  );
}
