import { Badge } from "@mantine/core";
import { mdiAlertCircle, mdiAlertOutline, mdiCheckCircle, mdiHelpCircleOutline } from "@mdi/js";
import type { ReactNode } from "react";
import classes from "./findings.module.css";
import { Icon } from "./icon.tsx";

const icons = {
  ok: mdiCheckCircle,
  warning: mdiAlertOutline,
  missing: mdiAlertCircle,
  unknown: mdiHelpCircleOutline,
} as const;

/** What the server found where it looked. */
export function FindingList({ children }: { children: ReactNode }) {
  return <ul className={classes.findings}>{children}</ul>;
}

export function FindingRow({
  state,
  name,
  badge,
  children,
}: {
  state: keyof typeof icons;
  name: string;
  badge?: string;
  children: ReactNode;
}) {
  return (
    <li data-state={state}>
      <span className={classes.mark}>
        <Icon path={icons[state]} size={24} />
      </span>
      <div>
        <p className={classes.finding}>
          <strong>{name}</strong>
          {badge !== undefined && (
            <Badge variant="default" tt="none">
              {badge}
            </Badge>
          )}
        </p>
        {children}
      </div>
    </li>
  );
}
