import type { MessageProgress } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Card } from "../../parts/card.tsx";
import { When } from "../../parts/when.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import { Facts, type Fact } from "./facts.tsx";
import { hasResult } from "./funnel.ts";
import classes from "./notice.module.css";
import { ScheduleText } from "./schedule-text.tsx";
import { ShownNotification } from "./shown-notification.tsx";
import { usePublisherText, useTargetText } from "./words.ts";

/** Shows the notification, its target, its publisher and its time. */
export function SentCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const targetText = useTargetText(notice.target);
  const publisherText = usePublisherText();
  const { notification, state, createdAt, scheduleAt, scheduleAtLocal, startedAt, replaces } =
    notice;
  // While the notice is still to come, the card beside this one says its time.
  const wasScheduled =
    state !== "scheduled" && (scheduleAtLocal !== undefined || scheduleAt !== createdAt);
  const wasSent = hasResult(notice);
  const facts: readonly Fact[] = [
    [notices.forWhom, targetText],
    [notices.link, notification.link],
    [notices.publisher, publisherText(notice.publisher)],
    [
      notices.replaces,
      replaces === undefined ? undefined : (
        <Link key="replaces" to="/avisos/$id" params={{ id: replaces }}>
          {notices.replacedNotice}
        </Link>
      ),
    ],
    [notices.when, wasScheduled ? <ScheduleText key="when" notice={notice} /> : undefined],
    [
      notices.sentAt,
      wasSent && startedAt !== undefined ? <When key="sent" at={startedAt} /> : undefined,
    ],
  ];
  return (
    <Card title={notices.content}>
      <ShownNotification notification={notification} />
      <Facts facts={facts} className={classes.facts} />
    </Card>
  );
}
