import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ApiProblem } from "../../../api/api-problem.ts";
import { Problem } from "../../../parts/problem.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import classes from "./send.module.css";

/** What keeps a draft from being read, saved or sent. One that was sent already leads to the notice. */
export function SendProblem({
  error,
  onContinue,
  onRetry,
}: {
  error: unknown;
  /** What is written becomes another notice, where this one was sent already. */
  onContinue?: () => void;
  onRetry?: () => void;
}) {
  const { compose } = useTexts();
  const messageId = error instanceof ApiProblem ? error.refusal.messageId : undefined;
  if (messageId === undefined) {
    return <Problem error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
  }
  return (
    <Problem error={error}>
      <Group mt="xs" gap="md">
        <Link className={classes.link ?? ""} to="/avisos/$id" params={{ id: messageId }}>
          {compose.seeNotice}
        </Link>
        {onContinue !== undefined && (
          <Button variant="default" size="compact-md" onClick={onContinue}>
            {compose.continueAsNew}
          </Button>
        )}
      </Group>
    </Problem>
  );
}
