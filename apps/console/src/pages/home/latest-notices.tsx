import { Badge, Button, Skeleton } from "@mantine/core";
import type { MessageSummary } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Card } from "../../parts/card.tsx";
import { Empty } from "../../parts/empty.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./home.module.css";

/** What was said last, each with what the push services took, what was displayed and what was clicked: three figures. */
export const LatestNotices = memo(function LatestNotices({
  messages,
}: {
  messages: readonly MessageSummary[] | undefined;
}) {
  const { audience } = useTexts();
  const project = useProject();
  return (
    <Card
      title={audience.latestNotices}
      actions={
        messages !== undefined &&
        messages.length > 0 && (
          <Link to="/avisos" className={classes.cardLink}>
            {audience.allNotices}
          </Link>
        )
      }
    >
      {messages === undefined && <Skeleton h="18rem" />}
      {messages?.length === 0 && (
        <Empty
          drawing="bell"
          sentence={audience.noNotices}
          action={
            project.may("editor") && (
              <Button
                variant="default"
                renderRoot={(props) => <Link to="/avisos/novo" {...props} />}
              >
                {audience.writeFirst}
              </Button>
            )
          }
        />
      )}
      {messages !== undefined && messages.length > 0 && (
        <ul className={classes.notices}>
          {messages.map((message) => (
            <Notice key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Card>
  );
});

function Notice({ message }: { message: MessageSummary }) {
  const { audience } = useTexts();
  const format = useFormat();
  const { id, title, state, scheduleAt, counts, receipts } = message;
  const figures = [
    [audience.accepted, counts.accepted],
    [audience.displayed, receipts.displayed],
    [audience.clicked, receipts.clicked],
  ] as const;
  return (
    <li className={classes.notice}>
      <div>
        <Link to="/avisos/$id" params={{ id }} className={classes.noticeTitle} dir="auto">
          {title}
        </Link>
        <p className={classes.soft}>
          <Badge variant="default" tt="none" component="span">
            {audience.messageStates[state]}
          </Badge>{" "}
          {format.dateTime(scheduleAt)}
        </p>
      </div>
      <dl className={classes.noticeFigures}>
        {figures.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
