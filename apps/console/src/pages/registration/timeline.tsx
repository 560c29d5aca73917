import type { RegistrationEvent, RegistrationStory } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isolated } from "../../parts/isolated.ts";
import { Sentence } from "../../parts/sentence.tsx";
import { When } from "../../parts/when.tsx";
import { displayNameOf } from "../../project/use-topics.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Reason } from "./reason.tsx";
import classes from "./registration.module.css";

/** What happened, oldest first. */
export function Timeline({
  story,
  told,
}: {
  story: Pick<RegistrationStory, "events" | "topics">;
  /** The page says the reason of this event above the timeline, so the timeline leaves it out. */
  told: RegistrationEvent | undefined;
}) {
  return (
    <ol className={classes.timeline}>
      {story.events.map((event) => (
        <li
          key={keyOf(event)}
          className={isBad(event) ? `${classes.event} ${classes.bad}` : classes.event}
        >
          <When at={event.at} className={classes.soft} />
          <div className={classes.what}>
            <What event={event} topics={story.topics} isTold={event === told} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function keyOf(event: RegistrationEvent): string {
  const about = "messageId" in event ? event.messageId : "";
  const what = event.kind === "receipt" ? event.event : event.kind === "joined" ? event.topic : "";
  return `${event.kind} ${event.at} ${about} ${what}`;
}

function isBad(event: RegistrationEvent): boolean {
  if (event.kind === "message") return event.outcome !== "accepted";
  return event.kind === "ended" || event.kind === "refused";
}

function What({
  event,
  topics,
  isTold,
}: {
  event: RegistrationEvent;
  topics: RegistrationStory["topics"];
  isTold: boolean;
}): ReactNode {
  const { audience } = useTexts();
  const texts = audience.registration.events;
  switch (event.kind) {
    case "registered":
    case "confirmed":
    case "refused":
      return texts[event.kind];
    case "renewed":
      return texts.renewed(event.times);
    case "returned":
      return <Returned event={event} />;
    case "joined":
      return texts.joined(isolated(displayNameOf(topics, event.topic)));
    case "receipt":
      return (
        <>
          {texts[event.event]} <Notice {...event} />{" "}
          {event.action !== undefined && texts.action(event.action)}
        </>
      );
    case "message":
      return (
        <>
          {texts.message[event.outcome]}: <Notice {...event} />
          {/* That a subscription has ended says all there is. */}
          {!isTold && event.outcome !== "gone" && <Reason of={event} />}
          {event.attempts > 0 && <p className={classes.soft}>{texts.attempts(event.attempts)}</p>}
        </>
      );
    case "ended":
      return texts[event.state];
    default:
      return event satisfies never;
  }
}

function Returned({ event }: { event: Extract<RegistrationEvent, { kind: "returned" }> }) {
  const { audience } = useTexts();
  const texts = audience.registration.events;
  const { cause, goneAt, times } = event;
  return (
    <>
      {texts.returned(times)}
      <p className={classes.soft}>
        {audience.losses.causes[cause]}.
        {goneAt !== undefined && (
          <>
            {" "}
            <Sentence of={texts.goneAt}>
              <When at={goneAt} isAfterVerb />
            </Sentence>
          </>
        )}
      </p>
    </>
  );
}

function Notice({ messageId, title }: { messageId: string; title: string }) {
  return (
    <Link to="/avisos/$id" params={{ id: messageId }}>
      <bdi>{title === "" ? messageId : title}</bdi>
    </Link>
  );
}
