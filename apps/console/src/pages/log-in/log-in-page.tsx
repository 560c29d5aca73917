import type { OperatorAnswer } from "@sineta/protocol";
import { NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import classes from "./log-in-page.module.css";
import { Outside } from "../../app/outside.tsx";
import { LogInForm } from "../../session/log-in-form.tsx";
import { operatorQuery } from "../../session/operator.ts";
import { languages } from "../../texts/language.ts";
import { useLanguage, useTexts } from "../../texts/use-texts.tsx";

/** Leads to where one wanted to go. */
export function LogInPage() {
  const { session, frame } = useTexts();
  const { language, choose } = useLanguage();
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
      <ul className={classes.help}>
        <li>{session.noAccountYet}</li>
        <li>
          {session.passwordLost} <code>sineta operators recover</code>
        </li>
      </ul>
      <NativeSelect
        label={frame.language}
        value={language}
        data={languages.map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => {
          const chosen = languages.find(([each]) => each === value);
          if (chosen !== undefined) choose(chosen[0]);
        }}
      />
    </Outside>
  );
}
