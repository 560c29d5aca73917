import { mdiChevronDown } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { useState } from "react";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./exceptions.module.css";
import { nextStepOf } from "./next-step.ts";
import { reasonGroups, type ReasonGroup } from "./reason-groups.ts";
import { ReasonText } from "./reason-text.tsx";
import { RegistrationsOf } from "./registrations-of.tsx";
import { useIsHeld } from "./state-badge.tsx";
import { goesOn } from "./words.ts";

/** Who did not simply get the notice: by reason, in plain words, with the registrations behind each. */
export function ExceptionsCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const groups = reasonGroups(notice);
  const leftUnsent = notice.state === "cancelled" ? notice.unsent : 0;
  const none = goesOn(notice.state) ? notices.exceptionsNoneYet : notices.exceptionsNone;
  return (
    <Card title={notices.exceptions}>
      {groups.length === 0 && leftUnsent === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <div className={classes.groups}>
          {leftUnsent > 0 && (
            <div className={classes.line}>
              <h3 className={classes.title}>{notices.leftUnsent}</h3>
              <span className={classes.count}>{format.number(leftUnsent)}</span>
              <span className={classes.next}>{notices.nextStep.nothing}</span>
            </div>
          )}
          {groups.map((group) => (
            <Group key={`${group.outcome} ${group.reason}`} group={group} notice={notice} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Group({ group, notice }: { group: ReasonGroup; notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { outcome, reason, registrations, byPushService } = group;
  const title = notices.reasons[reason]?.title ?? reason;
  const isHeld = useIsHeld(notice.state) === true;
  const next = nextStepOf(group, isHeld);
  const services = byPushService.map(({ pushService, registrations: count }) => {
    return `${notices.pushServices[pushService]}: ${format.number(count)}`;
  });
  const [first] = byPushService;
  return (
    // One at a time is open.
    <details name="reason" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={classes.line}>
        <h3 className={classes.title}>{title}</h3>
        <span className={classes.count}>{format.number(registrations)}</span>
        <span className={classes.next} data-next={next}>
          {notices.nextStep[next]}
        </span>
        <span className={classes.chevron}>
          <Icon path={mdiChevronDown} size={18} />
        </span>
      </summary>
      {isOpen && (
        <div className={classes.group}>
          <ReasonText reason={reason} detail={first?.detail ?? ""} />
          <p className={classes.services}>{[notices[outcome], ...services].join(" · ")}</p>
          <RegistrationsOf messageId={notice.id} group={group} title={title} />
        </div>
      )}
    </details>
  );
}
