import { Alert, Button, Group } from "@mantine/core";
import { mdiKeyAlert } from "@mdi/js";
import type { Account, OperatorAnswer } from "@sineta/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ask } from "../../api/ask.ts";
import classes from "./log-in-page.module.css";
import { Outside } from "../../app/outside.tsx";
import { Icon } from "../../parts/icon.tsx";
import { LogInForm } from "../../session/log-in-form.tsx";
import { operatorQuery } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";

/** Leads to where one wanted to go. */
export function LogInPage() {
  const { session } = useTexts();
  const { voltar } = useSearch({ from: "/entrar" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  /** That all passkeys of who has just come in were made for, and not for this one. */
  const [host, setHost] = useState<string | null>(null);
  const goOn = () => navigate({ href: voltar, replace: true });
  async function enter(operator: OperatorAnswer): Promise<void> {
    queries.setQueryData(operatorQuery.queryKey, operator);
    const elsewhere = await hostOfPasskeys();
    if (elsewhere === null) await goOn();
    else setHost(elsewhere);
  }
  if (host !== null) {
    return (
      <Outside title={session.passkeyNeeded}>
        <Alert role="alert" color="yellow" icon={<Icon path={mdiKeyAlert} />}>
          {session.passkeysElsewhere(host)}
        </Alert>
        <Group>
          <Button component={Link} to="/ajustes/conta" replace>
            {session.toPasskeys}
          </Button>
          <Button variant="default" onClick={() => void goOn()}>
            {session.goOn}
          </Button>
        </Group>
      </Outside>
    );
  }
  return (
    <Outside
      title={session.logIn}
      help={
        <details>
          <summary className={classes.summary}>{session.cannotLogIn}</summary>
          <ul className={classes.help}>
            <li>
              {session.noAccountYet} <code>sineta operators create</code>
            </li>
            <li>
              {session.passwordLost} <code>sineta operators recover</code>
            </li>
          </ul>
        </details>
      }
    >
      <LogInForm onEntered={enter} />
    </Outside>
  );
}

/** The host name that the own passkeys were made for, where none of them serves at this one; null where that is not so. */
async function hostOfPasskeys(): Promise<string | null> {
  const answer = await ask<Account>("GET", "session");
  if (!answer.ok || !answer.body.passkeys.every(({ elsewhere }) => elsewhere)) return null;
  return answer.body.passkeys.at(-1)?.host ?? null;
}
