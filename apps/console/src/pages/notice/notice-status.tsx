import type { MessageProgress } from "@sineta/protocol";
import { useNow } from "../../parts/use-now.ts";
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
function useStateText(): (notice: MessageProgress) => string | undefined {
  const { notices } = useTexts();
  const format = useFormat();
  const nowMs = useNow();
  return (notice) => {
    const { state, scheduleAt, scheduleAtLocal, startedAt, endedAt } = notice;
    switch (state) {
      case "scheduled": {
        const when = format.when(scheduleAtLocal ?? scheduleAt, nowMs);
        return notices.stateScheduled(when, scheduleAtLocal !== undefined);
      }
      case "done":
        // An empty audience takes no time.
        if (!hasResult(notice) || startedAt === undefined || endedAt === undefined)
          return undefined;
        return notices.stateDone(format.duration(Date.parse(endedAt) - Date.parse(startedAt)));
      case "cancelled":
        if (endedAt === undefined) return undefined;
        return notice.replacedBy === undefined
          ? notices.stateCancelled(format.when(endedAt, nowMs))
          : notices.stateReplaced(format.when(endedAt, nowMs));
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
