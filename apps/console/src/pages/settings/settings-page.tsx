import { Link, Outlet } from "@tanstack/react-router";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./settings-page.module.css";

/** The parts of the settings, above whichever is open. */
export function SettingsPage() {
  const { delivery, settings } = useTexts();
  const isOwner = useProject().may("owner");
  const parts = [
    { to: "/ajustes/projeto", name: settings.project.title, isOwners: false },
    { to: "/ajustes/envio", name: delivery.title, isOwners: false },
    { to: "/ajustes/diagnostico", name: settings.doctor.title, isOwners: true },
    { to: "/ajustes/chaves-de-api", name: settings.apiKeys.title, isOwners: true },
    { to: "/ajustes/operadores", name: settings.operators.title, isOwners: true },
    { to: "/ajustes/conta", name: settings.account.title, isOwners: false },
    { to: "/ajustes/auditoria", name: settings.audit.title, isOwners: true },
  ] as const;
  const shown = parts.filter(({ isOwners }) => isOwner || !isOwners);
  return (
    <>
      <nav aria-label={settings.parts} className={classes.parts}>
        <ul className={classes.list}>
          {shown.map(({ to, name }) => (
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
