import { Button } from "@mantine/core";
import type { DryRun, MessageRequest } from "@sineta/protocol";
import { limits } from "@sineta/protocol/limits";
import { useState, type ReactNode } from "react";
import { isNearlyFull } from "../logic/nearly-full.ts";
import { Problem } from "../../../parts/problem.tsx";
import { DeliveryHeld } from "../../../project/delivery-held.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Obstacles, WillReceive } from "./reach.tsx";
import { Room } from "./room.tsx";
import { SendHere } from "./send-here.tsx";
import { SendProblem } from "./send-problem.tsx";
import { useBarHeight } from "./use-bar-height.ts";
import classes from "./send-panel.module.css";

/** What it will look like, how many get it, and the ways to send it. On a phone it is a bar at the foot, which unfolds. */
export function SendPanel({
  preview,
  reach,
  isCounting,
  missing,
  reachError,
  onCountAgain,
  bytes,
  flawCount,
  request,
  hasReview,
  isScheduled,
  isSending,
  error,
  onSend,
  onTry,
  onContinue,
}: {
  preview: ReactNode;
  reach: DryRun | undefined;
  isCounting: boolean;
  /** In words, what an operator has to choose before browsers can be counted. */
  missing: string | undefined;
  reachError: unknown;
  onCountAgain: () => void;
  bytes: number;
  /** How many fields keep it from being sent; 0 before the first attempt. */
  flawCount: number;
  request: MessageRequest;
  /** Whether there is a review before it is sent. */
  hasReview: boolean;
  isScheduled: boolean;
  isSending: boolean;
  error: unknown;
  /** Sends it to its audience, or shows the review. @returns false: it shows what is wrong instead */
  onSend: () => boolean;
  /** Whether it can be sent to the own browser: shows what is wrong if not. */
  onTry: () => boolean;
  /** What is written is to become another notice. */
  onContinue: () => void;
}) {
  const { compose } = useTexts();
  const bar = useBarHeight();
  const [isUnfolded, setUnfolded] = useState(false);
  /** On a phone the preview would hide the field that has the error. */
  const foldFor = (isReady: boolean) => {
    if (!isReady) setUnfolded(false);
    return isReady;
  };
  const sendWords = isScheduled ? compose.schedule : compose.sendNow;
  return (
    <section
      ref={bar}
      className={classes.panel}
      aria-label={compose.send}
      data-unfolded={isUnfolded}
    >
      <div className={classes.seen}>{preview}</div>
      <div className={classes.count} aria-live="polite">
        {missing === undefined ? (
          <WillReceive reach={reach} isCounting={isCounting} />
        ) : (
          <p>{missing}</p>
        )}
      </div>
      <div className={classes.said}>
        <div aria-live="polite">
          {reach !== undefined && missing === undefined && <Obstacles reach={reach} />}
        </div>
        <div className={classes.held}>
          <DeliveryHeld notice={{ request }} />
        </div>
        <Problem error={reachError} onRetry={onCountAgain} />
        {isNearlyFull(bytes, limits.plaintextBytes) && <Room bytes={bytes} />}
        <div aria-live="polite">
          {flawCount > 0 && <p className={classes.flaws}>{compose.fixFirst(flawCount)}</p>}
        </div>
        <SendProblem error={error} onContinue={onContinue} />
      </div>
      <Button
        variant="default"
        className={classes.see ?? ""}
        aria-label={isUnfolded ? compose.unseePreview : compose.seePreview}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {isUnfolded ? compose.unsee : compose.see}
      </Button>
      <Button
        className={classes.send ?? ""}
        loading={isSending}
        onClick={() => foldFor(onSend())}
        {...(hasReview ? { "aria-label": compose.reviewAndSend } : {})}
      >
        {hasReview ? (
          <>
            <span className={classes.long}>{compose.reviewAndSend}</span>
            <span className={classes.short}>{compose.review}</span>
          </>
        ) : (
          sendWords
        )}
      </Button>
      <div className={classes.here}>
        <SendHere request={request} onTry={() => foldFor(onTry())} />
      </div>
    </section>
  );
}
