import type { MessageProgress } from "@sineta/protocol";
import { Card } from "../../parts/card.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import { ShownNotification } from "./shown-notification.tsx";
import { usePublisherText, useScheduleText, useTargetText } from "./words.ts";

/** What was sent, to whom and when. */
export function SentCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const targetText = useTargetText();
  const scheduleText = useScheduleText();
  const lifetime = useLifetime();
  const publisherText = usePublisherText();
  const { notification, createdAt, scheduleAt, startedAt, endedAt, collapseKey, data } = notice;
  const wasScheduled = notice.scheduleAtLocal !== undefined || scheduleAt !== createdAt;
  const facts: [name: string, value: string | undefined][] = [
    [notices.forWhom, targetText(notice.target)],
    [notices.link, notification.link],
    [notices.publisher, publisherText(notice.publisher)],
    [notices.created, format.dateTime(createdAt)],
    [notices.when, wasScheduled ? scheduleText(notice) : undefined],
    [notices.started, startedAt === undefined ? undefined : format.dateTime(startedAt)],
    [notices.ended, endedAt === undefined ? undefined : format.dateTime(endedAt)],
    [notices.ttl, lifetime(notice.ttlSeconds)],
    [notices.urgency, notices.urgencies[notice.urgency]],
    [notices.collapseKey, collapseKey],
  ];
  return (
    <Card title={notice.state === "scheduled" ? notices.toBeSent : notices.sent}>
      <ShownNotification notification={notification} />
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
        {data !== undefined && (
          <div>
            <dt>{notices.data}</dt>
            <dd>
              <code className={classes.data}>{JSON.stringify(data, null, 2)}</code>
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

function useLifetime(): (seconds: number) => string {
  const { notices } = useTexts();
  return (seconds) => {
    if (seconds === 0) return notices.nowOrNever;
    if (seconds % 86_400 === 0) return notices.days(seconds / 86_400);
    if (seconds % 3_600 === 0) return notices.hours(seconds / 3_600);
    if (seconds % 60 === 0) return notices.minutes(seconds / 60);
    return notices.seconds(seconds);
  };
}
