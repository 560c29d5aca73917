import type { MessageProgress } from "@sineta/protocol";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { Facts, type Fact } from "./facts.tsx";
import classes from "./notice.module.css";
import { averagePace, shownPace } from "./pace.ts";
import { PushServices } from "./push-services.tsx";

/** What an engineer looks for: the push services, exact times, how the pushes were sent, and the id. */
export function Engineering({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const { id, createdAt, startedAt, endedAt, ttlSeconds, collapseKey, data } = notice;
  const moment = (at: string | undefined) => at && format.exact(at);
  const pace = averagePace(notice);
  const facts: readonly Fact[] = [
    [notices.created, moment(createdAt)],
    [notices.started, moment(startedAt)],
    [notices.ended, moment(endedAt)],
    [notices.pace, pace === null ? undefined : notices.rate(format.number(shownPace(pace)))],
    [notices.ttl, ttlSeconds === 0 ? notices.nowOrNever : format.span(ttlSeconds)],
    [notices.urgency, notices.urgencies[notice.urgency]],
    [notices.collapseKey, collapseKey],
  ];
  const long: readonly Fact[] = [
    [notices.id, <code key="id">{id}</code>],
    [
      notices.data,
      data && (
        <code key="data" className={classes.data}>
          {JSON.stringify(data, null, 2)}
        </code>
      ),
    ],
  ];
  return (
    <div className={classes.engineeringParts}>
      <PushServices notice={notice} />
      <Facts facts={facts} className={`${classes.engineeringFacts} ${classes.inColumns}`} />
      <Facts facts={long} className={classes.engineeringFacts} />
    </div>
  );
}
