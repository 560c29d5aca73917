import type { MessageProgress } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Card } from "../../parts/card.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { useNow } from "../../parts/use-now.ts";
import { Relative, When } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ScheduleText } from "./schedule-text.tsx";

/** Why a notice has no result: it is still to come, it was cancelled or replaced before, or its audience was empty. */
export function NoResultCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const { state, replacedBy } = notice;
  if (state === "scheduled") return <Scheduled notice={notice} />;
  if (replacedBy !== undefined) {
    return (
      <Card title={notices.figures}>
        <p>{notices.replacedBefore}</p>
        <p>
          <Link to="/avisos/$id" params={{ id: replacedBy }}>
            {notices.seeSuccessor}
          </Link>
        </p>
      </Card>
    );
  }
  return (
    <Card title={notices.figures}>
      <p>{state === "cancelled" ? notices.wentToNobody : notices.nobody}</p>
    </Card>
  );
}

function Scheduled({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const nowMs = useNow(5_000);
  const mayEdit = useProject().may("editor");
  const { scheduleAt, scheduleAtLocal } = notice;
  const isAhead = Date.parse(scheduleAt) > nowMs;
  // At each reader's time it begins for the first time zone of the world, which says nothing here.
  const begins = isAhead && scheduleAtLocal === undefined;
  return (
    <Card title={notices.when}>
      <p>
        <ScheduleText notice={notice} />.{" "}
        {begins && (
          <Sentence of={notices.begins}>
            <Relative at={scheduleAt} nowMs={nowMs} />
          </Sentence>
        )}
      </p>
      {mayEdit && isAhead && (
        <p>
          {scheduleAtLocal === undefined ? (
            notices.canBeEdited
          ) : (
            <Sentence of={notices.canBeEditedUntil}>
              <When at={scheduleAt} />
            </Sentence>
          )}
        </p>
      )}
    </Card>
  );
}
