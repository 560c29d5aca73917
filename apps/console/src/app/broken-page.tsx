import { Button, Stack } from "@mantine/core";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { ApiProblem } from "../api/api-problem.ts";
import { Page } from "../parts/page.tsx";
import { Problem } from "../parts/problem.tsx";
import { useTexts } from "../texts/use-texts.tsx";

/** In the place of a page that could not be drawn: what the server refused, or a mistake of ours. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const { frame } = useTexts();
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  function tryAgain(): void {
    reset();
    void router.invalidate();
  }
  if (error instanceof ApiProblem) {
    return (
      <Page title={frame.console}>
        <Problem error={error} onRetry={tryAgain} />
      </Page>
    );
  }
  return (
    <Page title={frame.pageBroke}>
      <Stack align="start">
        <p>{frame.pageBrokeWhat}</p>
        <code>{String(error)}</code>
        <Button onClick={() => window.location.reload()}>{frame.reload}</Button>
      </Stack>
    </Page>
  );
}
