import type { MessageState, MessageSummary } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { deliveryQuery } from "../../project/delivery.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import signs from "./signs.module.css";
import classes from "./state-badge.module.css";

/**
 * The state of a notice, in a word. While delivery is held, a notice that would go out reads as held. A notice that another notice
 * has replaced reads as replaced.
 * @param children more words than the state's own
 */
export function StateBadge({
  notice: { state, replacedBy },
  children,
}: {
  notice: Pick<MessageSummary, "state" | "replacedBy">;
  children?: ReactNode;
}) {
  const { frame } = useTexts();
  const isHeld = useIsHeld(state) === true;
  const unlessHeld = replacedBy === undefined ? state : "replaced";
  const shown = isHeld ? "held" : unlessHeld;
  return (
    <span
      className={`${signs.point} ${classes.badge}`}
      data-state={shown}
      data-wraps={children !== undefined}
    >
      {children ?? frame.noticeStates[shown]}
    </span>
  );
}

/** Whether a notice in this state would go out, and delivery is held. Undefined until the server has told it. */
export function useIsHeld(state: MessageState): boolean | undefined {
  const isOnItsWay = state === "sending" || state === "paused";
  const { data } = useQuery({ ...deliveryQuery(useProject()), enabled: isOnItsWay });
  return isOnItsWay ? data && data.state === "held" : false;
}
