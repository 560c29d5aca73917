import { Button, Group, Stack } from "@mantine/core";
import type { MessageProgress, MessageState, MessageStatus } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiProblem, bodyOf, codeOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import { goesOn } from "./words.ts";
import { useIsHeld } from "./state-badge.tsx";
import { briefly, noticeKey } from "./notice-query.ts";

export type Cancellable = Pick<
  MessageProgress,
  "id" | "state" | "counts" | "unsent" | "audience" | "replacedBy"
>;

/** Asks before it cancels a notice, and says what still arrives. */
export function CancelNotice({
  notice,
  isOpen,
  onClose,
  onState,
}: {
  notice: Cancellable;
  isOpen: boolean;
  onClose: () => void;
  /** Shows the notice in this state at once, before the server has answered. */
  onState: (state: MessageState) => void;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  const project = useProject();
  const queries = useQueryClient();
  const { id, state, counts, unsent, audience } = notice;
  const cancel = useMutation({
    mutationFn: (_before: MessageState) =>
      bodyOf(ask<MessageStatus>("POST", `${project.path}/messages/${id}/cancel`, {})),
    onMutate: () => onState("cancelled"),
    onSuccess: (status) => {
      queries.setQueryData(noticeKey(project.name, id), briefly(status));
      onClose();
    },
    // As it was; and whatever it is now comes with the next answer.
    onError: (_, before) => onState(before),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [project.name, "messages"] }),
        queries.invalidateQueries({ queryKey: noticeKey(project.name, id) }),
      ]),
  });
  const left = unsent + counts.retry;
  // It is shown as cancelled already while the server is asked.
  const before = cancel.isPending ? cancel.variables : state;
  const isHeld = useIsHeld(before) === true;
  const hasBegun = Object.values(counts).some((count) => count > 0);
  const accepted = format.number(counts.accepted);
  const nobodyGetsIt = before === "scheduled" || (isHeld && !hasBegun);
  const who = audience.complete
    ? notices.cancelSending(accepted, format.number(left))
    : notices.cancelCounting(accepted);
  const refusedFor =
    cancel.error instanceof ApiProblem ? cancel.error.refusal.messageId : undefined;
  const successor = notice.replacedBy ?? refusedFor;
  const isAsked = cancel.isPending || cancel.isSuccess;
  const isOver = codeOf(cancel.error) === "message-ended" || (!isAsked && !goesOn(state));
  if (isOver || successor !== undefined) {
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={notices.cancelTitle}>
        <p role="alert">
          {successor === undefined ? notices.cancelTooLate : notices.cancelReplaced}
        </p>
        {successor !== undefined && (
          <p>
            <Link to="/avisos/$id" params={{ id: successor }}>
              {notices.seeSuccessor}
            </Link>
          </p>
        )}
      </Dialog>
    );
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={notices.cancelTitle}>
      <Stack>
        <p>{nobodyGetsIt ? notices.cancelScheduled : who}</p>
        <p>{notices.cancelNoWayBack}</p>
        <Problem error={cancel.error} />
        <Group justify="flex-end">
          <Button variant="default" className={classes.touch} onClick={onClose} data-autofocus>
            {notices.cancelNo}
          </Button>
          <Button
            color="red"
            className={classes.touch}
            loading={cancel.isPending}
            onClick={() => cancel.mutate(state)}
          >
            {notices.cancelYes}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
