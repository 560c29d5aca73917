import { Alert, Button, Group, TextInput } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import { textRules } from "@sineta/protocol/text";
import { useEffect, useState } from "react";
import { Icon } from "../../parts/icon.tsx";
import { Problem } from "../../parts/problem.tsx";
import { flawOfText, tidyLine, tidyLines } from "../../parts/tidy-text.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import type { useFirstNotice } from "./first-notice.ts";
import classes from "./first-run-page.module.css";

type Notice = ReturnType<typeof useFirstNotice>;

/** After so long without a sign of it, what may be in the way is said, in milliseconds. */
const patienceMs = 15_000;

/** Writes the first notice, to this browser alone. */
export function SendStep({ notice, isReady }: { notice: Notice; isReady: boolean }) {
  const { compose, firstRun, session } = useTexts();
  const project = useProject();
  const [title, setTitle] = useState(firstRun.firstTitle);
  const [body, setBody] = useState(firstRun.firstBody);
  const { send, status } = notice;
  const tidy = { title: tidyLine(title), body: tidyLines(body) };
  const flaws = {
    title: flawOfText(tidy.title, textRules.title),
    body: flawOfText(tidy.body, textRules.body),
  };
  if (!project.may("editor")) {
    return <p className={classes.soft}>{session.mayNot(session.roles.editor)}</p>;
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(tidy);
      }}
    >
      <TextInput
        label={firstRun.titleOfNotice}
        required
        withAsterisk={false}
        value={title}
        error={flaws.title !== null && compose.flaws[flaws.title]}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextInput
        label={firstRun.bodyOfNotice}
        value={body}
        error={flaws.body !== null && compose.flaws[flaws.body]}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <Problem error={send.error ?? notice.error} />
      <Group>
        <Button
          type="submit"
          loading={send.isPending}
          disabled={!isReady || flaws.title !== null || flaws.body !== null}
          variant={status === null ? "filled" : "default"}
        >
          {status === null ? firstRun.sendNow : firstRun.sendAgain}
        </Button>
        {!isReady && <span className={classes.soft}>{firstRun.bellFirst}</span>}
      </Group>
    </form>
  );
}

/** What has become of it: sent, accepted by the push service, displayed here. */
export function ArriveStep({ notice }: { notice: Notice }) {
  const { firstRun } = useTexts();
  const { status, hasArrived } = notice;
  const isLate = useIsLate(status?.id ?? null, hasArrived);
  if (status === null) return <p className={classes.soft}>{firstRun.arriveWhat}</p>;
  const { counts, reasons, held } = status;
  const [failure] = reasons;
  const isAccepted = counts.accepted > 0 || hasArrived;
  return (
    <>
      <div aria-live="polite">
        <p>{hasArrived ? firstRun.arrived : isAccepted ? firstRun.accepted : firstRun.underWay}</p>
      </div>
      {!isAccepted && (failure !== undefined || held.length > 0) && (
        <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />} role="alert">
          {firstRun.failed(failure?.reason ?? held[0]?.reason ?? "")}
        </Alert>
      )}
      {!isAccepted && counts.gone > 0 && (
        <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />} role="alert">
          {firstRun.gone}
        </Alert>
      )}
      {isLate && isAccepted && (
        <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />} role="alert">
          {firstRun.late}
        </Alert>
      )}
    </>
  );
}

function useIsLate(id: string | null, hasArrived: boolean): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (id === null || hasArrived) return undefined;
    const timer = setTimeout(() => setLate(id), patienceMs);
    return () => clearTimeout(timer);
  }, [id, hasArrived]);
  return !hasArrived && late !== null && late === id;
}
