import "@sineta/react/bell.css";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { OfflineNotice } from "../../app/offline-notice.tsx";
import { Outside } from "../../app/outside.tsx";
import { Problem } from "../../parts/problem.tsx";
import { installationQuery } from "../../project/settings.ts";
import { useOperator, useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { SessionOver } from "../../session/session-over.tsx";
import { useThisBrowser } from "../../this-browser/use-this-browser.ts";
import { BellStep } from "./bell-step.tsx";
import { useFirstNotice } from "./first-notice.ts";
import classes from "./first-run-page.module.css";
import { ArriveStep, SendStep } from "./notice-steps.tsx";
import { NameStep } from "./name-step.tsx";
import { Step } from "./step.tsx";
import { isolated } from "../../parts/isolated.ts";

/**
 * From the first owner to a notice that arrives in this browser. Nothing is kept of the walk itself: each step is done
 * where what it is for is there, so that it can be left and found again.
 */
export function FirstRunPage() {
  const { firstRun } = useTexts();
  const { name } = useOperator();
  const installation = useQuery(installationQuery(useProject()));
  const browser = useThisBrowser();
  const notice = useFirstNotice(browser);
  const displayName = installation.data?.displayName ?? "";
  const done = [
    true,
    displayName !== "",
    browser.enabled,
    browser.enabled && notice.status !== null,
    browser.enabled && notice.hasArrived,
  ];
  const next = done.indexOf(false);
  const isOver = next === -1;
  const step = (index: number) => ({
    number: index + 1,
    isDone: done[index] === true,
    isNext: next === index,
  });
  return (
    <Outside title={firstRun.title} width="wide" help={<Link to="/">{firstRun.leave}</Link>}>
      <SessionOver />
      <OfflineNotice />
      <p className={classes.soft}>{firstRun.what}</p>
      <Problem error={installation.error} onRetry={() => void installation.refetch()} />
      <ol className={classes.steps}>
        <Step {...step(0)} title={firstRun.account}>
          <p className={classes.soft}>{firstRun.accountDone(isolated(name))}</p>
        </Step>
        <Step {...step(1)} title={firstRun.name}>
          {installation.data !== undefined && <NameStep name={displayName} />}
        </Step>
        <Step {...step(2)} title={firstRun.bell}>
          <BellStep browser={browser} />
        </Step>
        <Step {...step(3)} title={firstRun.send}>
          <SendStep notice={notice} isReady={browser.enabled} />
        </Step>
        <Step {...step(4)} title={firstRun.arrive}>
          <ArriveStep notice={notice} />
        </Step>
      </ol>
      <div aria-live="polite">
        {isOver && (
          <section className={classes.body}>
            <p>{firstRun.over}</p>
            <div className={classes.links}>
              <Button component={Link} to="/instalar">
                {firstRun.toInstall}
              </Button>
              <Button component={Link} to="/avisos/novo" variant="default">
                {firstRun.toCompose}
              </Button>
            </div>
          </section>
        )}
      </div>
    </Outside>
  );
}
