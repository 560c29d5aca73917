import { Stack } from "@mantine/core";
import type { OperatorAnswer } from "@sineta/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { Dialog } from "../parts/dialog.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import { sessionRestored } from "./ended.ts";
import { LogInForm } from "./log-in-form.tsx";
import { operatorQuery } from "./operator.ts";

/** Comes up over the page when the session is over: behind it stands what was typed. */
export function LogInAgain() {
  const { session } = useTexts();
  const queries = useQueryClient();

  function goOn(operator: OperatorAnswer): void {
    const before = queries.getQueryData(operatorQuery.queryKey);
    // What another one may see is not what stands on this page.
    if (before && before.id !== operator.id) {
      window.location.reload();
      return;
    }
    queries.setQueryData(operatorQuery.queryKey, operator);
    sessionRestored();
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  }

  return (
    <Dialog isOpen isFinal onClose={() => undefined} title={session.logInAgain}>
      <Stack>
        <p>{session.logInAgainWhy}</p>
        <LogInForm onEntered={goOn} />
      </Stack>
    </Dialog>
  );
}
