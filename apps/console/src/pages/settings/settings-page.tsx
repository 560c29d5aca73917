import { Link, Outlet } from "@tanstack/react-router";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./settings-page.module.css";

/** The parts of the settings, above whichever is open. */
export function SettingsPage() {
  const { settings } = useTexts();
  const parts = [
    { to: "/ajustes/projeto", name: settings.project.title },
    { to: "/ajustes/chaves-de-api", name: settings.apiKeys.title },
    { to: "/ajustes/operadores", name: settings.operators.title },
    { to: "/ajustes/conta", name: settings.account.title },
    { to: "/ajustes/auditoria", name: settings.audit.title },
  ] as const;
  return (
    <>
      <nav aria-label={settings.parts} className={classes.parts}>
        <ul className={classes.list}>
          {parts.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                className={classes.link}
                activeOptions={{ includeSearch: false }}
                activeProps={{ className: `${classes.link} ${classes.active}` }}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </>
  );
}
