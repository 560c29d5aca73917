import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { installationQuery } from "../../project/settings.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Passkeys } from "./account/passkeys.tsx";
import { Password } from "./account/password.tsx";
import { SecondFactor } from "./account/second-factor.tsx";
import { Sessions } from "./account/sessions.tsx";
import { accountQuery } from "./queries.ts";
import classes from "./rows.module.css";
import { isolated } from "../../parts/isolated.ts";

/** What is the operator's own: password, second factor, passkeys, and where they are logged in. */
export function AccountPage() {
  const { settings, session } = useTexts();
  const { data, error, refetch } = useQuery(accountQuery);
  const texts = settings.account;
  const project = useProject();
  const installation = useQuery(installationQuery(project));
  const nameOf = (name: string) =>
    (name === project.name && installation.data?.displayName) || name;
  return (
    <Page title={texts.title}>
      <Card title={data?.name ?? texts.you}>
        {data === undefined ? (
          <Skeleton height={48} />
        ) : (
          <dl className={classes.figures}>
            <dt>{session.email}</dt>
            <dd>{data.email}</dd>
            <dt>{texts.projects}</dt>
            <dd>
              {Object.entries(data.roles)
                .map(([name, role]) => `${isolated(nameOf(name))} (${session.roles[role]})`)
                .join(", ")}
            </dd>
          </dl>
        )}
        <Problem error={error} onRetry={() => void refetch()} />
      </Card>
      <Password />
      <SecondFactor account={data} />
      <Passkeys account={data} />
      <Sessions />
    </Page>
  );
}
