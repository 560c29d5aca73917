import type { MessageProgress } from "@sineta/protocol";
import type { ReactNode } from "react";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { hasResult } from "./funnel.ts";
import classes from "./notice.module.css";
import signs from "./signs.module.css";
import { StateBadge } from "./state-badge.tsx";
import type { Following } from "./use-notice.ts";

/** What stands beside a notice's title: its state, and whether the page follows it. */
export function NoticeStatus({
  notice,
  following,
}: {
  notice: MessageProgress;
  following: Following | "offline";
}) {
  const stateText = useStateText();
  return (
    <>
      <output>
        <StateBadge notice={notice}>{stateText(notice)}</StateBadge>
      </output>
      <FollowingText following={following} />
    </>
  );
}

/** Says when a notice goes out, how long it took, or when it was cancelled. While it goes out, nothing. */
function useStateText(): (notice: MessageProgress) => ReactNode {
  const { notices } = useTexts();
  const format = useFormat();
  return (notice) => {
    const { state, scheduleAt, scheduleAtLocal, startedAt, endedAt } = notice;
    switch (state) {
      case "scheduled": {
        const isLocal = scheduleAtLocal !== undefined;
        return (
          <Sentence of={(when) => notices.stateScheduled(when, isLocal)}>
            <When at={scheduleAtLocal ?? scheduleAt} />
          </Sentence>
        );
      }
      case "done":
        // An empty audience takes no time.
        if (!hasResult(notice) || startedAt === undefined || endedAt === undefined)
          return undefined;
        return notices.stateDone(format.duration(Date.parse(endedAt) - Date.parse(startedAt)));
      case "cancelled":
        if (endedAt === undefined) return undefined;
        return (
          <Sentence
            of={notice.replacedBy === undefined ? notices.stateCancelled : notices.stateReplaced}
          >
            <When at={endedAt} isAfterVerb />
          </Sentence>
        );
      case "sending":
      case "paused":
        return undefined;
      default:
        return state satisfies never;
    }
  };
}

function FollowingText({ following }: { following: Following | "offline" }) {
  const { notices } = useTexts();
  if (following === "over") return null;
  return (
    <span className={`${signs.point} ${classes.following}`} data-following={following}>
      {notices[following]}
    </span>
  );
}
