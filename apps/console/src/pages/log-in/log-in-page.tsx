import type { OperatorAnswer } from "@sineta/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Outside } from "../../app/outside.tsx";
import { LogInForm } from "../../session/log-in-form.tsx";
import { operatorQuery } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";

/** Leads to where one wanted to go. */
export function LogInPage() {
  const { session } = useTexts();
  const { voltar } = useSearch({ from: "/entrar" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  function enter(operator: OperatorAnswer): void {
    queries.setQueryData(operatorQuery.queryKey, operator);
    void navigate({ href: voltar, replace: true });
  }
  return (
    <Outside title={session.logIn}>
      <LogInForm onEntered={enter} />
    </Outside>
  );
}
