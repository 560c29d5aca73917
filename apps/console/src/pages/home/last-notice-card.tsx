import { Skeleton } from "@mantine/core";
import type { MessageSummary } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Track } from "../../charts/track.tsx";
import { Card } from "../../parts/card.tsx";
import { When } from "../../parts/when.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { startOf } from "./by-start.ts";
import { clickRate, usualClickRate } from "../notice/click-rate.ts";
import { StateBadge } from "../notice/state-badge.tsx";
import classes from "./home.module.css";

/** What became of the last notice, beside what is usual. */
export function LastNoticeCard({
  notices,
}: {
  /** The notices that have begun, the latest start first. Undefined while the server has not answered. */
  notices: readonly MessageSummary[] | undefined;
}) {
  const { audience } = useTexts();
  const last = notices?.find(({ target }) => !isToOne(target)) ?? notices?.[0];
  const others = notices?.filter((notice) => notice !== last) ?? [];
  return (
    <Card
      title={audience.lastNotice}
      actions={
        last && (
          <span className={classes.soft}>
            <When at={startOf(last)} />
          </span>
        )
      }
    >
      {notices === undefined && <Skeleton h="9rem" />}
      {notices !== undefined && last === undefined && (
        <p className={classes.soft}>{audience.noNotices}</p>
      )}
      {last && <Result notice={last} others={others} />}
    </Card>
  );
}

/** A test, or what an application sends to one of its users: an operator looks for the result of neither. */
function isToOne({ kind }: MessageSummary["target"]): boolean {
  return kind === "token" || kind === "user";
}

function Result({
  notice,
  others,
}: {
  notice: MessageSummary;
  /** They say what is usual. */
  others: readonly MessageSummary[];
}) {
  const { audience } = useTexts();
  const format = useFormat();
  const { id, title, state, counts, receipts } = notice;
  const steps = [
    [audience.accepted, counts.accepted],
    [audience.displayed, receipts.displayed],
    [audience.clicked, receipts.clicked],
  ] as const;
  const most = Math.max(...steps.map(([, count]) => count));
  const rate = clickRate(receipts);
  const usual = usualClickRate(others);
  return (
    <>
      <h3 className={classes.lastTitle} dir="auto">
        <Link to="/avisos/$id" params={{ id }}>
          {title}
        </Link>
      </h3>
      <dl className={classes.steps}>
        {steps.map(([name, count]) => (
          <div key={name} className={classes.step}>
            <dt>{name}</dt>
            <dd>
              <Track share={most === 0 ? 0 : count / most} />
              {format.number(count)}
            </dd>
          </div>
        ))}
      </dl>
      {(state !== "done" || rate !== undefined) && (
        <p className={`${classes.soft} ${classes.result}`}>
          {state !== "done" && <StateBadge notice={notice} />}
          {rate !== undefined && (
            <span>
              {audience.clickedOfSeen(format.rate(rate))}{" "}
              {usual !== undefined && audience.usualRate(format.rate(usual))}
            </span>
          )}
        </p>
      )}
    </>
  );
}
