import { Alert, Button, Group } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import type { Ref } from "react";
import { codeOf } from "../../api/api-problem.ts";
import { Icon } from "../../parts/icon.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import { mayBeEdited } from "../notice/notice-query.ts";
import classes from "./send/send.module.css";
import { useReplaced } from "./use-replaced.ts";

/** Says which scheduled notice an operator changes. If that is too late, it says why, and offers a way on. */
export function ReplacedNotice({
  id,
  tooLate,
  onContinue,
}: {
  id: string;
  /** What the page says of a change that comes too late. */
  tooLate: Ref<HTMLDivElement>;
  /** What is written is to become a notice of its own. */
  onContinue: () => void;
}) {
  const { compose } = useTexts();
  const { data, error, refetch } = useReplaced(id);
  const isMissing = data === undefined && codeOf(error) === "message-not-found";
  if (data === undefined && !isMissing) {
    return <Problem error={error} onRetry={() => void refetch()} />;
  }
  const seen = data?.replacedBy ?? data?.id;
  const see = seen !== undefined && (
    <Link className={classes.link ?? ""} to="/avisos/$id" params={{ id: seen }}>
      {data?.replacedBy === undefined ? compose.seeNotice : compose.seeSuccessor}
    </Link>
  );
  if (data !== undefined && mayBeEdited(data)) {
    const { scheduleAt, scheduleAtLocal } = data;
    const isLocal = scheduleAtLocal !== undefined;
    return (
      <Alert>
        <Sentence of={(when) => compose.editing(when, isLocal)}>
          <When at={scheduleAtLocal ?? scheduleAt} />
        </Sentence>{" "}
        {see}
      </Alert>
    );
  }
  return (
    <Alert
      ref={tooLate}
      role="alert"
      color="yellow"
      icon={<Icon path={mdiAlertOutline} />}
      tabIndex={-1}
    >
      <p>{compose.editTooLate[obstacleOf(data)]}</p>
      <Group mt="xs" gap="md">
        {see}
        <Button variant="default" size="compact-md" onClick={onContinue}>
          {compose.continueAsNew}
        </Button>
      </Group>
    </Alert>
  );
}

/** Why a notice cannot be changed any more. */
function obstacleOf(
  notice: MessageProgress | undefined,
): "missing" | "replaced" | "cancelled" | "started" {
  if (notice === undefined) return "missing";
  if (notice.replacedBy !== undefined) return "replaced";
  return notice.state === "cancelled" ? "cancelled" : "started";
}
