import { Accordion } from "@mantine/core";
import type { MessageProgress } from "@sineta/protocol";
import { useState } from "react";
import { Card } from "../../parts/card.tsx";
import { Empty } from "../../parts/empty.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import { reasonGroups, type ReasonGroup } from "./reason-groups.ts";
import { ReasonText } from "./reason-text.tsx";
import { RegistrationsOf } from "./registrations-of.tsx";

/** Who did not simply get the notice: by reason, in plain words, with the registrations behind each. */
export function ExceptionsCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const [opened, setOpened] = useState<string | null>(null);
  const groups = reasonGroups(notice);
  if (notice.state === "scheduled") return null;
  return (
    <Card title={notices.exceptions}>
      {groups.length === 0 ? (
        <Empty drawing="bell" sentence={notices.exceptionsNone} />
      ) : (
        <Accordion value={opened} onChange={setOpened} variant="contained" order={3}>
          {groups.map((group) => {
            // It becomes part of ids, which have no spaces.
            const key = `${group.outcome}-${group.reason}`;
            return (
              <Group key={key} id={key} group={group} notice={notice} isOpen={opened === key} />
            );
          })}
        </Accordion>
      )}
    </Card>
  );
}

function Group({
  id,
  group,
  notice,
  isOpen,
}: {
  id: string;
  group: ReasonGroup;
  notice: MessageProgress;
  isOpen: boolean;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  const { outcome, reason, registrations, byPushService } = group;
  const title = notices.reasons[reason]?.title ?? reason;
  const services = byPushService.map(({ pushService, registrations: count }) => {
    return `${notices.pushServices[pushService]}: ${format.number(count)}`;
  });
  const [first] = byPushService;
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <span className={classes.groupLine}>
          <span className={classes.groupCount}>{format.number(registrations)}</span>
          <span className={classes.groupTitle}>
            {title}
            <span className={classes.groupOutcome}>{notices[outcome]}</span>
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        {isOpen && (
          <div className={classes.group}>
            <ReasonText reason={reason} detail={first?.detail ?? ""} />
            <p className={classes.services}>{services.join(" · ")}</p>
            <RegistrationsOf messageId={notice.id} group={group} title={title} />
          </div>
        )}
      </Accordion.Panel>
    </Accordion.Item>
  );
}
