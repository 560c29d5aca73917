import { Alert } from "@mantine/core";
import { mdiLockOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { Icon } from "../../parts/icon.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";

/** What owners alone may see; everybody else reads why they do not. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  const project = useProject();
  const { session } = useTexts();
  if (project.may("owner")) return children;
  return (
    <Alert role="note" color="gray" icon={<Icon path={mdiLockOutline} />}>
      {session.mayNot(session.roles.owner)}
    </Alert>
  );
}
