import type { MessageProgress } from "@sineta/protocol";
import type { ReactNode } from "react";
import { Track } from "../../charts/track.tsx";
import { Card } from "../../parts/card.tsx";
import { Help } from "../../parts/help.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { funnelOf, type Step } from "./funnel.ts";
import classes from "./funnel.module.css";
import { Progress } from "./progress.tsx";
import { goesOn } from "./words.ts";

/** What became of the notice, step by step. While it goes out, how far it is. */
export function FunnelCard({ notice, pace }: { notice: MessageProgress; pace: number | null }) {
  const { notices } = useTexts();
  return (
    <Card title={notices.figures} isTitleHidden>
      {goesOn(notice.state) && <Progress notice={notice} pace={pace} />}
      <dl className={classes.steps}>
        {funnelOf(notice).map((step) => (
          <StepFigures key={step.name} step={step} />
        ))}
      </dl>
      <Beside notice={notice} />
    </Card>
  );
}

function StepFigures({ step }: { step: Step }) {
  const { notices } = useTexts();
  const format = useFormat();
  const { name, count, share } = step;
  const shareText = useShareText();
  return (
    <div className={classes.step}>
      <dt>
        {notices[name]}
        <Help about={notices[name]}>{notices.what[name]}</Help>
      </dt>
      <dd>
        <span className={classes.count}>{format.number(count)}</span>
        {share !== undefined && <Track share={share} />}
      </dd>
      <dd className={classes.share}>{shareText(step)}</dd>
    </div>
  );
}

/** Says a step as a share of the step before, or beside it where there is no share. */
function useShareText(): (step: Step) => ReactNode {
  const { notices } = useTexts();
  const format = useFormat();
  return ({ name, count, of, share }) => {
    const all = format.number(of);
    if (share !== undefined) {
      return (
        <>
          <strong>{format.percent(share)}</strong> {notices.of[name](of, all)}
        </>
      );
    }
    // Reports of displays may get lost: "5 of 3" would say nothing.
    if (of === 0 || count > of) return null;
    return name === "accepted" ? notices.ofCounted(of, all) : notices.ofFew(of, all);
  };
}

/** Shows figures that are not steps of the funnel: clicks on each button, and how many closed the notice. */
function Beside({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const { receipts, clicksByAction, notification } = notice;
  const buttons = notification.actions ?? [];
  if (receipts.closed === 0 && buttons.length === 0) return null;
  return (
    <ul className={classes.beside}>
      {buttons.map(({ action, title }) => (
        <li key={action}>
          {notices.clicksOn} <bdi>{title}</bdi>:{" "}
          <strong>{format.number(clicksByAction[action] ?? 0)}</strong>
        </li>
      ))}
      {receipts.closed > 0 && (
        <li>
          {notices.closedWithoutClick}: <strong>{format.number(receipts.closed)}</strong>
        </li>
      )}
    </ul>
  );
}
