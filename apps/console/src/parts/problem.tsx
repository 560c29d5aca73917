import { Alert, Button } from "@mantine/core";
import { mdiAlertCircleOutline } from "@mdi/js";
import { codeOf } from "../api/api-problem.ts";
import { useProblemText, useTexts } from "../texts/use-texts.tsx";
import { Icon } from "./icon.tsx";

/** What went wrong and what to do, told at once to who cannot see it; nothing without an error. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { frame } = useTexts();
  const textOf = useProblemText();
  if (error === null || error === undefined) return <div role="alert" />;
  return (
    <Alert role="alert" color="red" icon={<Icon path={mdiAlertCircleOutline} />}>
      <p>{textOf(codeOf(error))}</p>
      {onRetry !== undefined && (
        <Button variant="default" size="compact-md" mt="xs" onClick={onRetry}>
          {frame.tryAgain}
        </Button>
      )}
    </Alert>
  );
}
