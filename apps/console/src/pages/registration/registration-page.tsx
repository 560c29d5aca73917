import { Alert, Button, Skeleton } from "@mantine/core";
import { mdiCheckCircleOutline, mdiInformationOutline } from "@mdi/js";
import type { RegistrationStory } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { bodyOf, read } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Card } from "../../parts/card.tsx";
import { ConfirmByWord } from "../../parts/confirm-by-word.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative, When } from "../../parts/when.tsx";
import { useProject, type OwnProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Details } from "./details.tsx";
import { Reason } from "./reason.tsx";
import { Timeline } from "./timeline.tsx";
import { whyOf, type Why } from "./why.ts";
import classes from "./registration.module.css";
import { isolated } from "../../parts/isolated.ts";

/** One registration: why it stopped, what happened to it, what is known of it. */
export function RegistrationPage() {
  const { audience } = useTexts();
  const texts = audience.registration;
  const project = useProject();
  const { token } = useParams({ from: "/inside/publico/$token" });
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: [project.name, "registration", token],
    queryFn: ({ signal }) =>
      read<RegistrationStory>(`${project.path}/registrations/${encodeURIComponent(token)}`, {
        signal,
      }),
  });
  const why = data && whyOf(data);
  return (
    <Page
      title={texts.title(shortOf(token))}
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/publico" {...props} />}>
            {texts.back}
          </Button>
          {data !== undefined && data.state !== "left" && data.state !== "removed" && (
            <Remove project={project} token={token} />
          )}
        </>
      }
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined || why === undefined ? (
        error === null && <Skeleton h="20rem" />
      ) : (
        <>
          <WhyItStopped why={why} nowMs={dataUpdatedAt} />
          <div className={classes.columns}>
            <Card title={texts.timeline} help={texts.timelineWhat}>
              {data.more && <p className={classes.soft}>{texts.more}</p>}
              <Timeline story={data} told={why.kind === "liveFailing" ? why.message : undefined} />
            </Card>
            <Card title={texts.details} help={texts.detailsWhat}>
              <Details story={data} />
            </Card>
          </div>
        </>
      )}
    </Page>
  );
}

/** Enough to tell one from another. */
function shortOf(token: string): string {
  return token.slice(0, 8);
}

function WhyItStopped({ why, nowMs }: { why: Why; nowMs: number }) {
  const isLive = why.kind === "live";
  return (
    <Alert
      color={isLive ? "green" : "yellow"}
      icon={<Icon path={isLive ? mdiCheckCircleOutline : mdiInformationOutline} />}
    >
      <p className={classes.why}>
        <WhyText why={why} nowMs={nowMs} />
      </p>
      {why.kind === "liveFailing" && <Reason of={why.message} />}
    </Alert>
  );
}

function WhyText({ why, nowMs }: { why: Why; nowMs: number }) {
  const { audience } = useTexts();
  const texts = audience.registration.why;
  switch (why.kind) {
    case "live":
      return (
        <Sentence of={texts.live}>
          <Relative at={why.confirmedAt} nowMs={nowMs} />
        </Sentence>
      );
    case "liveFailing": {
      return (
        <Sentence of={texts.liveFailing}>
          {isolated(why.message.title)}
          <Relative at={why.message.at} nowMs={nowMs} />
        </Sentence>
      );
    }
    case "refused":
      return (
        <Sentence of={texts.refused}>
          <When at={why.at} />
        </Sentence>
      );
    case "left":
    case "gone":
    case "removed":
      return (
        <Sentence of={texts[why.kind]}>
          <Relative at={why.at} nowMs={nowMs} />
        </Sentence>
      );
    default:
      return why satisfies never;
  }
}

function Remove({ project, token }: { project: OwnProject; token: string }) {
  const { audience } = useTexts();
  const texts = audience.registration;
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      bodyOf(ask("POST", `${project.path}/registrations/${encodeURIComponent(token)}/remove`, {})),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project.name] });
      setIsAsking(false);
    },
  });
  if (!project.may("editor")) return null;
  return (
    <>
      <Button color="red" variant="light" onClick={() => setIsAsking(true)}>
        {texts.remove}
      </Button>
      <ConfirmByWord
        isOpen={isAsking}
        title={texts.removeTitle}
        word="remove"
        action={texts.remove}
        error={remove.error}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => {
          remove.reset();
          setIsAsking(false);
        }}
      >
        <p>{texts.removeWhat}</p>
      </ConfirmByWord>
    </>
  );
}
