import { Alert, Button } from "@mantine/core";
import { mdiAlertCircleOutline } from "@mdi/js";
import type { ReactNode } from "react";
import { codeOf } from "../api/api-problem.ts";
import { OwnAddress } from "../session/wrong-address.tsx";
import { useProblemText, useTexts } from "../texts/use-texts.tsx";
import { Icon } from "./icon.tsx";

/** What went wrong and what to do, told at once to who cannot see it; nothing without an error. */
export function Problem({
  error,
  onRetry,
  children,
}: {
  error: unknown;
  onRetry?: () => void;
  /** Where it leads to. */
  children?: ReactNode;
}) {
  const { frame } = useTexts();
  const textOf = useProblemText();
  if (error === null || error === undefined) return <div role="alert" />;
  return (
    <Alert role="alert" color="red" icon={<Icon path={mdiAlertCircleOutline} />}>
      <p>{textOf(codeOf(error))}</p>
      {codeOf(error) === "cross-site-refused" && <OwnAddress />}
      {children}
      {onRetry !== undefined && (
        <Button variant="default" size="compact-md" mt="xs" onClick={onRetry}>
          {frame.tryAgain}
        </Button>
      )}
    </Alert>
  );
}
