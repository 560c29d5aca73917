import { Alert, Button } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import { MessagingError } from "@sineta/client";
import { NotificationBell } from "@sineta/react";
import { useMemo } from "react";
import { Icon } from "../../parts/icon.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import { asksOnClick } from "../../this-browser/asks-on-click.ts";
import { usePermission } from "../../this-browser/use-permission.ts";
import type { ThisBrowser } from "../../this-browser/use-this-browser.ts";
import { bellObstacle } from "./bell-obstacle.ts";
import classes from "./first-run-page.module.css";

/** The bell as visitors see it, to be turned on here; or why that cannot be, and what to do. */
export function BellStep({ browser }: { browser: ThisBrowser }) {
  const { firstRun } = useTexts();
  const permission = usePermission();
  const { messaging, enabled, busy, error } = browser;
  const enable = () => browser.enable();
  const bell = useMemo(() => (messaging === null ? null : asksOnClick(messaging)), [messaging]);
  const obstacle = bellObstacle(window, { isOffered: messaging !== null, permission });
  const errors: Readonly<Record<string, string>> = firstRun.errors;
  const code = error instanceof MessagingError ? error.code : "unexpected";
  return (
    <>
      <p className={classes.soft}>{enabled ? firstRun.bellOn : firstRun.bellWhat}</p>
      {bell !== null && (
        <div className={classes.bell}>
          {/* What it is told, the page's own registration hears by asking once more. */}
          <NotificationBell messaging={enabled ? messaging : bell} dispatch={enable} />
          {!enabled && (
            <Button loading={busy} disabled={obstacle !== null} onClick={enable}>
              {firstRun.enable}
            </Button>
          )}
        </div>
      )}
      <div aria-live="polite">
        {obstacle !== null && (
          <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />}>
            {firstRun.obstacles[obstacle]}
          </Alert>
        )}
        {obstacle === null && error !== null && !enabled && (
          <Alert color="red" icon={<Icon path={mdiAlertOutline} />}>
            {errors[code] ?? firstRun.unknownError(code)}
          </Alert>
        )}
      </div>
    </>
  );
}
