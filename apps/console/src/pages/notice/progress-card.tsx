import { VisuallyHidden } from "@mantine/core";
import type { MessageProgress } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../parts/card.tsx";
import { deliveryQuery } from "../../project/delivery.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import signs from "./signs.module.css";
import { averagePace, cameTo, outlookOf, roughly } from "./pace.ts";
import { StackedBar } from "./stacked-bar.tsx";
import { StateBadge } from "./state-badge.tsx";
import { useNow } from "../../parts/use-now.ts";
import type { Following } from "./use-notice.ts";
import { goesOn, useScheduleText } from "./words.ts";

/** How far the notice is: its state in words, how much is dealt with, how fast, and what is left. */
export function ProgressCard({
  notice,
  following,
  pace,
}: {
  notice: MessageProgress;
  following: Following | "offline";
  pace: number | null;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  const { audience, counts, state } = notice;
  const handled = cameTo(notice);
  // What was shown as nearly all must not turn out less than all.
  const share = audience.registrations === 0 ? 0 : handled / audience.registrations;
  const shownShare = format.percent(Math.floor(share * 1_000) / 1_000);
  const figures = notices.progressText(
    format.number(handled),
    audience.registrations,
    format.number(audience.registrations),
  );
  const wentTo = notices.wentTo(
    handled,
    format.number(handled),
    format.number(audience.registrations),
  );
  const [first, second] =
    state === "cancelled" ? [wentTo, null] : [notices.progressOf(shownShare), figures];
  const nobody = audience.registrations === 0 && audience.complete;
  const { data: delivery } = useQuery(deliveryQuery(useProject()));
  const isHeld = state === "sending" && delivery?.state === "held";
  const isCounting = state === "sending" && !isHeld && !audience.complete;
  return (
    <Card title={notices.progress} actions={<FollowingText following={following} />}>
      <output className={classes.stateLine}>
        <StateBadge state={isHeld ? "paused" : state} />
        <StateText notice={notice} isHeld={isHeld} />
      </output>
      {state === "scheduled" && <p>{notices.scheduledStays}</p>}
      {nobody && <p>{notices.nobody}</p>}
      {state !== "scheduled" && !nobody && (
        <>
          {/* It knows no parts: those are a picture. */}
          <VisuallyHidden>
            <progress
              aria-label={notices.progress}
              max={100}
              value={Math.floor(share * 100)}
              aria-valuetext={second === null ? first : `${first}: ${second}`}
            />
          </VisuallyHidden>
          <StackedBar counts={counts} registrations={audience.registrations} />
          <p className={classes.progressLine}>
            <strong>{first}</strong>
            {second !== null && <span>{second}</span>}
            {isCounting && <span>{notices.counting}</span>}
            <PaceText notice={notice} pace={isHeld ? null : pace} />
          </p>
        </>
      )}
    </Card>
  );
}

function FollowingText({ following }: { following: Following | "offline" }) {
  const { notices } = useTexts();
  if (following === "over") return null;
  const words = following === "live" ? notices.live : notices[following];
  return (
    <p className={`${signs.point} ${classes.following}`} data-following={following}>
      {words}
    </p>
  );
}

function StateText({ notice, isHeld }: { notice: MessageProgress; isHeld: boolean }) {
  const { delivery, notices } = useTexts();
  const format = useFormat();
  const scheduleText = useScheduleText();
  const nowMs = useNow(5_000);
  const { state, endedAt, scheduleAt } = notice;
  const ended = format.dateTime(endedAt ?? scheduleAt);
  switch (state) {
    case "scheduled": {
      const begins = notices.stateScheduled(format.relative(scheduleAt, nowMs));
      return (
        <span>
          {scheduleText(notice)}. {begins}
        </span>
      );
    }
    case "sending":
      return <span>{isHeld ? `${delivery.held}.` : notices.stateSending}</span>;
    case "paused":
      return <span>{notices.statePaused}</span>;
    case "done":
      return <span>{notices.stateDone(ended)}</span>;
    case "cancelled":
      return <span>{notices.stateCancelled(ended)}</span>;
    default:
      return state satisfies never;
  }
}

function PaceText({ notice, pace }: { notice: MessageProgress; pace: number | null }) {
  const { notices } = useTexts();
  const format = useFormat();
  const perSecond = (value: number) =>
    format.number(value < 10 ? round(value, 10) : round(value, 1));
  if (!goesOn(notice.state)) {
    const average = averagePace(notice);
    return average === null || average < 0.1 ? null : (
      <span>{notices.averageRate(perSecond(average))}</span>
    );
  }
  const outlook = outlookOf(notice, pace);
  return (
    <>
      {pace !== null && pace > 0 && <span>{notices.rate(perSecond(pace))}</span>}
      {outlook.kind === "seconds" && <TimeLeft seconds={outlook.seconds} />}
      {outlook.kind === "retries" && (
        <span>{notices.waitingForRetry(outlook.count, format.number(outlook.count))}</span>
      )}
      {outlook.kind === "local-time" && <span>{notices.localTimeNotice}</span>}
    </>
  );
}

function TimeLeft({ seconds }: { seconds: number }) {
  const { notices } = useTexts();
  const { unit, count } = roughly(seconds);
  return <span>{notices.timeLeft(notices[unit](count))}</span>;
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
