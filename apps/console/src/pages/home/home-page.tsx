import { Button } from "@mantine/core";
import type { Audience, AudienceDays, MessageList } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { read } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { FigureCards } from "./figure-cards.tsx";
import { LatestNotices } from "./latest-notices.tsx";
import { ReachableCard, type Range } from "./reachable-card.tsx";

const dayMs = 24 * 60 * 60 * 1000;

/** How it does: who can be reached, how that came about, what was said last, and what needs somebody. */
export function HomePage() {
  const { frame, audience: texts } = useTexts();
  const project = useProject();
  const [range, setRange] = useState<Range>(30);
  const audience = useQuery({
    queryKey: [project.name, "audience"],
    queryFn: ({ signal }) => read<Audience>(`${project.path}/audience`, { signal }),
    refetchInterval: 30_000,
  });
  const days = useQuery({
    queryKey: [project.name, "audience-days", range],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (range - 1) * dayMs).toISOString().slice(0, 10);
      const to = new Date().toISOString().slice(0, 10);
      return read<AudienceDays>(`${project.path}/audience/days?from=${from}&to=${to}`, { signal });
    },
    placeholderData: (before) => before,
  });
  const notices = useQuery({
    queryKey: [project.name, "messages", "latest"],
    queryFn: ({ signal }) => read<MessageList>(`${project.path}/messages?limit=5`, { signal }),
    refetchInterval: 10_000,
  });
  const isNew = audience.data?.live === 0 && notices.data?.messages.length === 0;
  const error = audience.error ?? days.error ?? notices.error;
  return (
    <Page
      title={frame.home}
      actions={
        project.may("editor") && (
          <Button renderRoot={(props) => <Link to="/avisos/novo" {...props} />}>
            {frame.newNotice}
          </Button>
        )
      }
    >
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
          <div>
            <Button renderRoot={(props) => <Link to="/comecar" {...props} />}>
              {texts.walkThrough}
            </Button>{" "}
            <Button variant="default" renderRoot={(props) => <Link to="/instalar" {...props} />}>
              {texts.installBell}
            </Button>
          </div>
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
