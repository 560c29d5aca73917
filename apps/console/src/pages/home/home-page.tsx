import { Button, Group } from "@mantine/core";
import type { Audience, MessageList, MessageSummary } from "@sineta/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Card } from "../../parts/card.tsx";
import { NewNotice } from "../../parts/new-notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useDrafts } from "../drafts/use-drafts.ts";
import { ActiveCard } from "./active-card.tsx";
import { AttentionCard, AttentionStatus } from "./attention-card.tsx";
import { ahead, begun, newestOfEach } from "./by-start.ts";
import { EnteredLeftCard } from "./entered-left-card.tsx";
import classes from "./home.module.css";
import { LastNoticeCard } from "./last-notice-card.tsx";
import { LatestNotices } from "./latest-notices.tsx";
import { NextCard } from "./next-card.tsx";
import {
  audienceQuery,
  daysQuery,
  firstRange,
  latestQuery,
  scheduledQuery,
  type Range,
} from "./queries.ts";
import { WhoCard } from "./who-card.tsx";

/**
 * The project at a glance: how many subscribers can be reached, what became of the last notice, and what comes next; then who entered and
 * left, who the subscribers are, and the last notices. What needs the operator stands before all else.
 */
export function HomePage() {
  const { frame } = useTexts();
  const project = useProject();
  const [range, setRange] = useState<Range>(firstRange);
  const audience = useQuery({ ...audienceQuery(project), refetchInterval: 30_000 });
  const lastDays = useQuery({ ...daysQuery(project, firstRange), refetchInterval: 30_000 });
  const days = useQuery({
    ...daysQuery(project, range),
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });
  const latest = useQuery({ ...latestQuery(project), refetchInterval: 10_000 });
  const scheduled = useQuery({ ...scheduledQuery(project), refetchInterval: 30_000 });
  const drafts = useDrafts();
  const { notices, next } = useByStart(latest, scheduled);
  const queries = [audience, lastDays, days, latest, scheduled, drafts.query];
  const error = queries.find((query) => query.error !== null)?.error;
  const isNew = isNewProject(audience.data, notices, next);
  const isDecided = isNew !== undefined || error !== undefined;
  return (
    <Page
      title={frame.home}
      status={error === undefined && <AttentionStatus />}
      action={project.may("editor") && isDecided && !isNew && <NewNotice />}
    >
      {error !== undefined && (
        <Problem
          error={error}
          onRetry={() => {
            for (const query of queries) if (query.isError) void query.refetch();
          }}
        />
      )}
      <AttentionCard />
      {isNew && <FirstSteps />}
      <div className={classes.answers}>
        {!hasFailed(audience) && (
          <ActiveCard
            live={audience.data?.live}
            days={lastDays.data?.days}
            isPending={lastDays.isPending}
          />
        )}
        {!hasFailed(latest) && <LastNoticeCard notices={notices} />}
        {!hasFailed(scheduled) && (
          <NextCard notices={next} hasMore={scheduled.data?.hasMore === true} drafts={drafts} />
        )}
      </div>
      {isDecided && !isNew && (
        <div className={classes.audience}>
          {!hasFailed(lastDays) && (
            <EnteredLeftCard
              days={(days.data ?? lastDays.data)?.days}
              isStale={days.isPlaceholderData || days.data === undefined}
              range={range}
              onRange={setRange}
            />
          )}
          {!hasFailed(audience) && audience.data?.live !== 0 && (
            <WhoCard audience={audience.data} />
          )}
        </div>
      )}
      {notices !== undefined && notices.length > 0 && <LatestNotices notices={notices} />}
    </Page>
  );
}

/** Whether there is nothing to show, and will be nothing until an answer comes. */
function hasFailed({ isError, data }: { isError: boolean; data: unknown }): boolean {
  return isError && data === undefined;
}

/** Sorts the answers' notices into those that have begun and those that are to come. Each is undefined while its answer is missing. */
function useByStart(
  latest: UseQueryResult<MessageList>,
  scheduled: UseQueryResult<{ notices: MessageSummary[] }>,
): { notices: MessageSummary[] | undefined; next: MessageSummary[] | undefined } {
  const listed = latest.data?.messages;
  const planned = scheduled.data?.notices;
  const [listedAt, plannedAt] = [latest.dataUpdatedAt, scheduled.dataUpdatedAt];
  return useMemo(() => {
    const [older = [], newer = []] = listedAt < plannedAt ? [listed, planned] : [planned, listed];
    const messages = newestOfEach(older, newer);
    const nowMs = Math.max(listedAt, plannedAt);
    return {
      notices: listed && begun(messages, nowMs),
      next: planned && ahead(messages, nowMs),
    };
  }, [listed, planned, listedAt, plannedAt]);
}

/** Whether the project has no subscriber and no notice; undefined until that is known. */
function isNewProject(
  audience: Audience | undefined,
  notices: readonly MessageSummary[] | undefined,
  next: readonly MessageSummary[] | undefined,
): boolean | undefined {
  if (audience !== undefined && audience.live > 0) return false;
  if (audience === undefined || notices === undefined || next === undefined) return undefined;
  return notices.length === 0 && next.length === 0;
}

/** What to do in a new project. */
function FirstSteps() {
  const { audience } = useTexts();
  return (
    <Card title={audience.firstSteps}>
      <p>{audience.firstStepsWhat}</p>
      <Group gap="xs">
        <Button renderRoot={(props) => <Link to="/comecar" {...props} />}>
          {audience.walkThrough}
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to="/instalar" {...props} />}>
          {audience.installBell}
        </Button>
      </Group>
    </Card>
  );
}
