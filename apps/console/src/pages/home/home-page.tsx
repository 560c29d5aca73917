import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { NewNotice } from "../../parts/new-notice.tsx";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { FigureCards } from "./figure-cards.tsx";
import { LatestNotices } from "./latest-notices.tsx";
import { audienceQuery, daysQuery, firstRange, latestQuery, type Range } from "./queries.ts";
import { ReachableCard } from "./reachable-card.tsx";

/** How it does: who can be reached, how that came about, what was said last, and what needs somebody. */
export function HomePage() {
  const { frame, audience: texts } = useTexts();
  const project = useProject();
  const [range, setRange] = useState<Range>(firstRange);
  const audience = useQuery({ ...audienceQuery(project), refetchInterval: 30_000 });
  const days = useQuery({
    ...daysQuery(project, range),
    placeholderData: (before) => before,
  });
  const notices = useQuery({ ...latestQuery(project), refetchInterval: 10_000 });
  const isNew = audience.data?.live === 0 && notices.data?.messages.length === 0;
  const error = audience.error ?? days.error ?? notices.error;
  return (
    <Page title={frame.home} action={project.may("editor") && <NewNotice />}>
      {error !== null && (
        <Problem
          error={error}
          onRetry={() => {
            for (const each of [audience, days, notices]) void each.refetch();
          }}
        />
      )}
      {isNew && (
        <Card title={texts.firstSteps}>
          <p>{texts.firstStepsWhat}</p>
          <Group gap="xs">
            <Button renderRoot={(props) => <Link to="/comecar" {...props} />}>
              {texts.walkThrough}
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/instalar" {...props} />}>
              {texts.installBell}
            </Button>
          </Group>
        </Card>
      )}
      <AttentionCard />
      <ReachableCard
        live={audience.data?.live}
        days={days.data?.days}
        range={range}
        onRange={setRange}
      />
      <FigureCards audience={audience.data} />
      <LatestNotices messages={notices.data?.messages} />
    </Page>
  );
}
