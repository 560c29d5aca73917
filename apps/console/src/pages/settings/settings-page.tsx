import { Box } from "@mantine/core";
import { Outlet } from "@tanstack/react-router";
import { TabLinks } from "../../parts/tab-links.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";

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
      <Box mb="1.25rem">
        <TabLinks label={settings.parts} tabs={shown} />
      </Box>
      <Outlet />
    </>
  );
}
