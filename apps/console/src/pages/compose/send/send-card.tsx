import { Alert, Button } from "@mantine/core";
import { mdiMonitorShare, mdiSendOutline } from "@mdi/js";
import type { DryRun, MessageRequest, Published } from "@sineta/protocol";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Card } from "../../../parts/card.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { DeliveryHeld } from "../../../project/delivery-held.tsx";
import { useProject } from "../../../session/operator.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { useThisBrowser } from "../../../this-browser/use-this-browser.ts";
import { newId } from "../logic/new-id.ts";
import { SendProblem } from "./send-problem.tsx";
import { Reach, Room } from "./reach.tsx";
import classes from "./send.module.css";

/** How many it reaches, how much room is left, and the ways to send it: on a desk it stays in view. */
export function SendCard({
  reach,
  isCounting,
  missing,
  reachError,
  bytes,
  flawCount,
  request,
  looks,
  isScheduled,
  isSending,
  error,
  onSend,
  onTry,
  onContinue,
}: {
  reach: DryRun | undefined;
  isCounting: boolean;
  /** What has to be chosen before anybody can be counted, in words. */
  missing: string | undefined;
  reachError: unknown;
  bytes: number;
  /** Of what keeps it from being sent; 0 also while nobody has tried to. */
  flawCount: number;
  request: MessageRequest;
  /** Whether there is a last look before it is sent. */
  looks: boolean;
  isScheduled: boolean;
  isSending: boolean;
  error: unknown;
  /** It is to be sent to whom it is for. */
  onSend: () => void;
  /** Whether it can be sent to the own browser: shows what is wrong if not. */
  onTry: () => boolean;
  /** What is written is to become another notice. */
  onContinue: () => void;
}) {
  const { compose } = useTexts();
  const sendWords = isScheduled ? compose.schedule : compose.sendNow;
  return (
    <Card title={compose.send}>
      <div className={classes.buttons}>
        {missing === undefined ? (
          <Reach reach={reach} isCounting={isCounting} />
        ) : (
          <p className={classes.count}>{missing}</p>
        )}
        <Problem error={reachError} />
      </div>
      <Room bytes={bytes} />
      <div className={classes.said} aria-live="polite">
        {flawCount > 0 && <Alert color="yellow">{compose.fixFirst(flawCount)}</Alert>}
      </div>
      <DeliveryHeld />
      <div className={classes.buttons}>
        <SendProblem error={error} onContinue={onContinue} />
        <Button
          leftSection={<Icon path={mdiSendOutline} size={18} />}
          loading={isSending}
          onClick={onSend}
        >
          {looks ? compose.look : sendWords}
        </Button>
        <SendHere request={request} onTry={onTry} />
      </div>
    </Card>
  );
}

/** Sends it to the operator's own browser first, at once. */
function SendHere({ request, onTry }: { request: MessageRequest; onTry: () => boolean }) {
  const { compose } = useTexts();
  const project = useProject();
  const browser = useThisBrowser();
  const { token, busy } = browser;
  const send = useMutation({
    mutationFn: (to: string) => {
      const { scheduleAt: _at, scheduleAtLocal: _local, ...rest } = request;
      const body: MessageRequest = { ...rest, target: { kind: "token", token: to } };
      const headers = { "Idempotency-Key": newId() };
      return bodyOf(ask<Published>("POST", `${project.path}/messages`, { body, headers }));
    },
  });
  if (token === null) {
    return (
      <Button variant="default" loading={busy} onClick={() => browser.enable()}>
        {compose.enableHere}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon path={mdiMonitorShare} size={18} />}
        loading={send.isPending}
        onClick={() => {
          if (onTry()) send.mutate(token);
        }}
      >
        {compose.sendHereFirst}
      </Button>
      <Problem error={send.error} />
      <div className={classes.said} aria-live="polite">
        {send.data !== undefined && (
          <Alert color="green">
            {compose.sentHere}{" "}
            <Link className={classes.link ?? ""} to="/avisos/$id" params={{ id: send.data.id }}>
              {compose.seeNotice}
            </Link>
          </Alert>
        )}
      </div>
    </>
  );
}
