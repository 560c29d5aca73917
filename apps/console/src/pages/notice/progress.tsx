import { VisuallyHidden } from "@mantine/core";
import type { MessageProgress } from "@sineta/protocol";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./funnel.module.css";
import { handledOf, outlookOf, roughly, shownPace } from "./pace.ts";
import { useIsHeld } from "./state-badge.tsx";

/** Says how far a notice has come that goes out: how many registrations are dealt with, how fast, and how many are left. */
export function Progress({ notice, pace }: { notice: MessageProgress; pace: number | null }) {
  const { notices } = useTexts();
  const format = useFormat();
  const isHeld = useIsHeld(notice.state);
  const { audience, state } = notice;
  const handled = handledOf(notice);
  const share = audience.registrations === 0 ? 0 : handled / audience.registrations;
  const first = notices.progressOf(format.percent(share));
  const second = notices.progressText(
    format.number(handled),
    audience.registrations,
    format.number(audience.registrations),
  );
  const isCounting = state === "sending" && isHeld === false && !audience.complete;
  if (audience.registrations === 0) return isCounting && <p>{notices.counting}</p>;
  return (
    <>
      {/* Sighted people read the same in the line below. */}
      <VisuallyHidden>
        <progress
          aria-label={notices.progress}
          max={100}
          value={Math.floor(share * 100)}
          aria-valuetext={`${first}: ${second}`}
        />
      </VisuallyHidden>
      <p className={classes.progress}>
        <strong>{first}</strong>
        <span>{second}</span>
        {isCounting && <span>{notices.counting}</span>}
        {state === "paused" && isHeld === false ? (
          <span>{notices.statePaused}</span>
        ) : (
          <Outlook notice={notice} pace={isHeld === false ? pace : null} />
        )}
      </p>
    </>
  );
}

function Outlook({ notice, pace }: { notice: MessageProgress; pace: number | null }) {
  const { notices } = useTexts();
  const format = useFormat();
  const outlook = outlookOf(notice, pace);
  return (
    <>
      {pace !== null && pace > 0 && <span>{notices.rate(format.number(shownPace(pace)))}</span>}
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
