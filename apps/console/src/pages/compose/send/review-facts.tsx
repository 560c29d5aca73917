import { Skeleton } from "@mantine/core";
import type { DryRun, MessageRequest } from "@sineta/protocol";
import type { ReactNode } from "react";
import { isolated } from "../../../parts/isolated.ts";
import { Sentence } from "../../../parts/sentence.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { When } from "../../../parts/when.tsx";
import { useTopicName } from "../../../project/use-topics.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { obstaclesOf } from "../logic/obstacles.ts";
import { useReplaced } from "../use-replaced.ts";
import classes from "./send.module.css";

/** The facts of the review: audience, time, validity, links, and how many browsers receive the notice. */
export function ReviewFacts({
  request,
  reach,
  isCounting,
}: {
  request: MessageRequest;
  reach: DryRun | undefined;
  isCounting: boolean;
}) {
  const { compose } = useTexts();
  const { link, actions = [] } = request.notification;
  return (
    <dl className={classes.facts}>
      <Fact name={compose.reviewWho}>
        <AudienceText target={request.target} />
      </Fact>
      <Fact name={compose.reviewWhen}>
        <WhenText request={request} />
      </Fact>
      {request.replaces !== undefined && (
        <Fact name={compose.reviewReplaces}>
          <ReplacedText id={request.replaces} />
        </Fact>
      )}
      <Fact name={compose.reviewUntil}>
        <UntilText request={request} />
      </Fact>
      <Fact name={compose.link}>
        <LinkText link={link} />
      </Fact>
      {actions.map((each) => (
        <Fact key={each.action} name={each.title}>
          <LinkText link={each.link ?? link} />
        </Fact>
      ))}
      <Fact name={compose.reviewGets}>
        <div aria-live="polite">
          <ReachText reach={reach} isCounting={isCounting} />
        </div>
      </Fact>
      {reach !== undefined && <ObstacleFacts reach={reach} />}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt dir="auto">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function LinkText({ link }: { link: string | undefined }) {
  const { compose } = useTexts();
  if (link === undefined) return compose.home;
  return (
    <bdi dir="ltr" className={classes.address} title={link}>
      {link}
    </bdi>
  );
}

function AudienceText({ target }: Pick<MessageRequest, "target">) {
  const { compose } = useTexts();
  const format = useFormat();
  const topicName = useTopicName(target.kind === "topic" ? target.topic : undefined);
  switch (target.kind) {
    case "all":
      return compose.audienceKinds.all;
    case "topic":
      return <bdi>{topicName}</bdi>;
    case "condition":
      return <code>{target.condition}</code>;
    case "user":
      return <bdi>{target.userId}</bdi>;
    case "token":
      return compose.audienceKinds.browser;
    case "tokens":
      return compose.browsers(target.tokens.length, format.number(target.tokens.length));
    default:
      return target satisfies never;
  }
}

function WhenText({ request: { scheduleAt, scheduleAtLocal } }: { request: MessageRequest }) {
  const { compose } = useTexts();
  const format = useFormat();
  if (scheduleAt !== undefined) {
    return (
      <Sentence of={(when) => compose.reviewAt(when, format.weekday(scheduleAt))}>
        <When at={scheduleAt} />
      </Sentence>
    );
  }
  if (scheduleAtLocal !== undefined) {
    return (
      <Sentence of={compose.reviewLocal}>
        <When at={scheduleAtLocal} />
      </Sentence>
    );
  }
  return compose.reviewNow;
}

/** The title and the time of the scheduled notice that will be cancelled. */
function ReplacedText({ id }: { id: string }) {
  const { compose } = useTexts();
  const { data } = useReplaced(id);
  if (data === undefined) return compose.scheduledNotice;
  const { notification, scheduleAt, scheduleAtLocal } = data;
  const isLocal = scheduleAtLocal !== undefined;
  return (
    <Sentence of={(title, when) => compose.noticeAt(title, when, isLocal)}>
      {isolated(notification.title)}
      <When at={scheduleAtLocal ?? scheduleAt} />
    </Sentence>
  );
}

function UntilText({
  request: { ttlSeconds = 0, scheduleAt, scheduleAtLocal },
}: {
  request: MessageRequest;
}) {
  const { compose } = useTexts();
  const format = useFormat();
  const nowMs = useNow();
  if (ttlSeconds === 0) return compose.reviewUntilSent;
  const span = format.span(ttlSeconds);
  if (scheduleAtLocal !== undefined) return compose.reviewUntilLocal(span);
  const startMs = scheduleAt === undefined ? nowMs : Date.parse(scheduleAt);
  return (
    <Sentence of={(when) => compose.reviewUntilAt(when, span)}>
      <When at={startMs + ttlSeconds * 1_000} />
    </Sentence>
  );
}

function ReachText({ reach, isCounting }: { reach: DryRun | undefined; isCounting: boolean }) {
  const { compose } = useTexts();
  const format = useFormat();
  if (reach === undefined) return isCounting ? <Skeleton height={22} /> : compose.reachUnknown;
  const { reached, services } = obstaclesOf(reach);
  if (reached === 0) return compose.nobody;
  return (
    <>
      <p>{compose.browsers(reached, format.number(reached))}</p>
      <ul className={classes.services}>
        {services.map((each) => (
          <li key={each.pushService}>
            <span>{compose.services[each.pushService]}</span>
            <span>{format.number(each.reached)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function ObstacleFacts({ reach }: { reach: DryRun }) {
  const { compose } = useTexts();
  const whys: Readonly<Record<string, string>> = compose.leftOutWhys;
  const format = useFormat();
  const { waiting, refused } = obstaclesOf(reach);
  return (
    <>
      {waiting.length > 0 && (
        <Fact name={compose.reviewLater}>
          {waiting.map(({ why, count }) => (
            <p key={why}>{compose.waiting[why](count, format.number(count))}</p>
          ))}
        </Fact>
      )}
      <Fact name={compose.reviewLeftOut}>
        {refused.length === 0
          ? compose.leftOutNobody
          : refused.map(({ reason, count }) => (
              <p key={reason}>
                {compose.leftOut(
                  compose.browsers(count, format.number(count)),
                  whys[reason] ?? reason,
                )}
              </p>
            ))}
      </Fact>
    </>
  );
}
