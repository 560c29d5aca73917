import type { MessageState } from "@sineta/protocol";
import { useTexts } from "../../texts/use-texts.tsx";
import signs from "./signs.module.css";
import classes from "./state-badge.module.css";

/** The state of a notice, in a word. */
export function StateBadge({ state }: { state: MessageState }) {
  const { frame } = useTexts();
  return (
    <span className={`${signs.point} ${classes.badge}`} data-state={state}>
      {frame.noticeStates[state]}
    </span>
  );
}
