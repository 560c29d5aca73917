import type { MessageProgress } from "@sineta/protocol";
import { Card } from "../../parts/card.tsx";
import { When } from "../../parts/when.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import { Facts, type Fact } from "./facts.tsx";
import classes from "./notice.module.css";
import { ShownNotification } from "./shown-notification.tsx";
import { usePublisherText, useScheduleText, useTargetText } from "./words.ts";

/** Shows the notification, its target, its publisher and its time. */
export function SentCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const targetText = useTargetText();
  const scheduleText = useScheduleText();
  const publisherText = usePublisherText();
  const { notification, state, createdAt, scheduleAt, scheduleAtLocal, startedAt } = notice;
  // While the notice is still to come, the card beside this one says its time.
  const wasScheduled =
    state !== "scheduled" && (scheduleAtLocal !== undefined || scheduleAt !== createdAt);
  const facts: readonly Fact[] = [
    [notices.forWhom, targetText(notice.target)],
    [notices.link, notification.link],
    [notices.publisher, publisherText(notice.publisher)],
    [notices.when, wasScheduled ? scheduleText(notice) : undefined],
    [notices.sentAt, startedAt && <When key="sent" at={startedAt} />],
  ];
  return (
    <Card title={state === "scheduled" ? notices.toBeSent : notices.sent}>
      <ShownNotification notification={notification} />
      <Facts facts={facts} className={classes.facts} />
    </Card>
  );
}
