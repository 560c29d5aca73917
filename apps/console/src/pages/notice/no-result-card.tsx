import type { MessageProgress } from "@sineta/protocol";
import { Card } from "../../parts/card.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { useScheduleText } from "./words.ts";

/** Why a notice has no result: it is still to come, it was cancelled before, or its audience was empty. */
export function NoResultCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  if (notice.state === "scheduled") return <Scheduled notice={notice} />;
  return (
    <Card title={notices.figures}>
      <p>{notice.state === "cancelled" ? notices.wentToNobody : notices.nobody}</p>
    </Card>
  );
}

function Scheduled({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const scheduleText = useScheduleText();
  const nowMs = useNow(5_000);
  const { scheduleAt, scheduleAtLocal } = notice;
  // At each reader's time it begins for the first time zone of the world, which says nothing here.
  const isAhead = scheduleAtLocal === undefined && Date.parse(scheduleAt) > nowMs;
  return (
    <Card title={notices.when}>
      <p>
        {scheduleText(notice)}. {isAhead && notices.begins(format.relative(scheduleAt, nowMs))}
      </p>
      <p>{notices.scheduledStays}</p>
    </Card>
  );
}
