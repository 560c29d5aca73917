import type { MessageState } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { deliveryQuery } from "../../project/delivery.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import signs from "./signs.module.css";
import classes from "./state-badge.module.css";

/**
 * The state of a notice, in a word. A notice that would go out reads as held while delivery is held.
 * @param children more words than the state's own
 */
export function StateBadge({ state, children }: { state: MessageState; children?: ReactNode }) {
  const { frame } = useTexts();
  const shown = useIsHeld(state) === true ? "held" : state;
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
