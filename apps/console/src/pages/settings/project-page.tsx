import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "../../parts/card.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { installationQuery } from "../../project/settings.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { OriginsCard } from "./origins-card.tsx";
import { ProjectForm } from "./project-form.tsx";
import classes from "./rows.module.css";

/** The project: its name, receipts and quotas; keys, retention, versions. */
export function ProjectPage() {
  const { settings, firstRun } = useTexts();
  const format = useFormat();
  const project = useProject();
  const installation = useQuery(installationQuery(project));
  const texts = settings.project;
  return (
    <Page
      title={texts.title}
      actions={
        <Button component={Link} to="/comecar" variant="default">
          {firstRun.title}
        </Button>
      }
    >
      <Card title={texts.general}>
        {project.may("owner") ? (
          <ProjectForm />
        ) : installation.data === undefined ? (
          <Skeleton height={48} />
        ) : (
          <dl className={classes.figures}>
            <Figure name={texts.displayName}>
              {installation.data.displayName || project.name}
            </Figure>
          </dl>
        )}
      </Card>
      <OriginsCard installation={installation.data} />
      <Problem error={installation.error} onRetry={() => void installation.refetch()} />
      <Card title={texts.vapidKeys} help={texts.vapidKeysWhat}>
        {installation.data === undefined ? (
          <Skeleton height={72} />
        ) : (
          <ul className={classes.rows}>
            {installation.data.vapidKeys.map(({ publicKey, createdAt }, index) => (
              <li key={publicKey} className={classes.row}>
                <div className={classes.what}>
                  <code>{publicKey}</code>
                  <p className={classes.soft}>
                    {index === 0 ? texts.currentKey : texts.olderKey}{" "}
                    <Sentence of={texts.madeAt}>
                      <When at={createdAt} isAfterVerb />
                    </Sentence>
                  </p>
                </div>
                <Copy value={publicKey} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={texts.retention} help={texts.retentionWhat}>
        {installation.data === undefined ? (
          <Skeleton height={96} />
        ) : (
          <dl className={classes.figures}>
            {(["ended", "receipts", "audit"] as const).map((kind) => (
              <Figure key={kind} name={texts.keeps[kind]}>
                {texts.days(
                  installation.data.keepDays[kind],
                  format.number(installation.data.keepDays[kind]),
                )}{" "}
                <code>{variables[kind]}</code>
              </Figure>
            ))}
          </dl>
        )}
      </Card>
      <Card title={texts.server}>
        {installation.data === undefined ? (
          <Skeleton height={96} />
        ) : (
          <dl className={classes.figures}>
            <Figure name={texts.version}>{installation.data.version}</Figure>
            <Figure name={texts.address}>{installation.data.serverUrl}</Figure>
            <Figure name={texts.subject}>
              {installation.data.vapidSubject} <code>SINETA_VAPID_SUBJECT</code>
            </Figure>
          </dl>
        )}
      </Card>
    </Page>
  );
}

/** Where each is set: at the server alone, which reads it as it starts. */
const variables = {
  ended: "SINETA_KEEP_ENDED_DAYS",
  receipts: "SINETA_KEEP_RECEIPTS_DAYS",
  audit: "SINETA_KEEP_AUDIT_DAYS",
} as const;

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
