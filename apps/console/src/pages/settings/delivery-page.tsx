import { Button, Skeleton } from "@mantine/core";
import { mdiAlertOutline, mdiCheckCircleOutline } from "@mdi/js";
import type { DeliveryBody } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { deliveryQuery } from "../../project/delivery.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { choiceFor, fates, type MadeChoice } from "./delivery/choice.ts";
import classes from "./delivery/delivery.module.css";
import { HeldGroups } from "./delivery/held-groups.tsx";
import { HoldDialog } from "./delivery/hold-dialog.tsx";
import { ResumeDialog } from "./delivery/resume-dialog.tsx";
import rows from "./rows.module.css";

/** What became of a hold or a resume, in the words for the state in which delivery is now. */
type Said = { isDone: boolean; words: Partial<Record<DeliveryBody["state"], string>> };

/** Whether the server sends, and what waits while it does not; owners hold and resume delivery here. */
export function DeliveryPage() {
  const { delivery: texts, session } = useTexts();
  const format = useFormat();
  const project = useProject();
  const { data, error, refetch } = useQuery(deliveryQuery(project));
  const [made, setMade] = useState<MadeChoice | null>(null);
  /** As it was shown when the operator pressed the button: a newer list may differ. */
  const [asked, setAsked] = useState<DeliveryBody | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const close = (words: Said | null = null) => {
    setAsked(null);
    if (words !== null) setSaid(words);
  };
  const isOwner = project.may("owner");
  return (
    <Page
      title={texts.title}
      actions={
        isOwner &&
        data !== undefined && (
          // One button for both: it keeps the focus when the state changes.
          <Button
            variant={data.hold === null ? "default" : "filled"}
            onClick={() => setAsked(data)}
          >
            {data.hold === null ? texts.hold : texts.resume}
          </Button>
        )
      }
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Skeleton height={140} radius="lg" />}
      {data !== undefined && (
        <>
          <Card title={texts[data.state]}>
            <div className={classes.words}>
              <StateText delivery={data} />
              <output className={classes.said}>
                {said?.words[data.state] !== undefined && (
                  <>
                    <Icon path={said.isDone ? mdiCheckCircleOutline : mdiAlertOutline} />
                    {said.words[data.state]}
                  </>
                )}
              </output>
            </div>
            {!isOwner && <p className={rows.soft}>{texts.ownersOnly(session.roles.owner)}</p>}
          </Card>
          {data.hold !== null && (
            <HeldGroups
              delivery={data}
              choice={choiceFor(data, made)}
              onChoose={isOwner ? (choice) => setMade({ hold: data.hold, choice }) : null}
            />
          )}
        </>
      )}
      {asked?.state === "running" && (
        <HoldDialog
          onClose={() => close()}
          onHeld={() => close({ isDone: true, words: { held: texts.nowHeld } })}
        />
      )}
      {asked?.state === "held" && (
        <ResumeDialog
          delivery={asked}
          choice={choiceFor(asked, made)}
          onClose={() => close()}
          onResumed={(cancelled) => {
            setMade(null);
            const running = texts.resumed(cancelled, format.number(cancelled));
            close({ isDone: true, words: { running } });
          }}
          onStale={() => {
            setMade(null);
            close({ isDone: false, words: { held: texts.stale, running: texts.alreadyRunning } });
          }}
        />
      )}
    </Page>
  );
}

function StateText({ delivery: { hold, counts } }: { delivery: DeliveryBody }) {
  const { delivery: texts } = useTexts();
  if (hold === null) return <p>{texts.runningWhat}</p>;
  return (
    <>
      <p>
        {texts.why[hold.reason]}{" "}
        <Sentence of={hold.reason === "restored" ? texts.copyOf : texts.since}>
          <When at={hold.since} />
        </Sentence>
      </p>
      <p>
        {texts.heldWhat} {fates.every((fate) => counts[fate] === 0) && texts.nothingWaits}
      </p>
      {hold.reason !== "asked" && <p>{texts.stopOther}</p>}
    </>
  );
}
