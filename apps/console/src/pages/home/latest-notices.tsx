import { VisuallyHidden } from "@mantine/core";
import type { MessageSummary } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Card } from "../../parts/card.tsx";
import titles from "../../parts/row-title.module.css";
import { When } from "../../parts/when.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { startOf } from "./by-start.ts";
import { clickRate } from "../notice/click-rate.ts";
import { StateBadge } from "../notice/state-badge.tsx";
import classes from "./home.module.css";

const rows = 5;

/** The last notices, each with what the push services took, what was displayed, and the share of that which was clicked. */
export const LatestNotices = memo(function LatestNotices({
  notices,
}: {
  /** The notices that have begun, the latest start first. */
  notices: readonly MessageSummary[];
}) {
  const { audience } = useTexts();
  return (
    <Card
      title={audience.latestNotices}
      actions={
        <Link to="/avisos" className={classes.link}>
          {audience.seeAll}
        </Link>
      }
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{audience.notice}</th>
            <th scope="col" className={classes.onDesk}>
              {audience.sent}
            </th>
            <th scope="col" className={classes.onDesk}>
              {audience.accepted}
            </th>
            <th scope="col">{audience.displayed}</th>
            <th scope="col">{audience.clicks}</th>
          </tr>
        </thead>
        <tbody>
          {notices.slice(0, rows).map((notice) => (
            <Row key={notice.id} notice={notice} />
          ))}
        </tbody>
      </table>
    </Card>
  );
});

function Row({ notice }: { notice: MessageSummary }) {
  const { audience } = useTexts();
  const format = useFormat();
  const { id, title, state, counts, receipts } = notice;
  const rate = clickRate(receipts);
  const clicked = format.number(receipts.clicked);
  const clicks = audience.clicksOf(receipts.clicked, clicked);
  return (
    <tr>
      <th scope="row">
        <span className={classes.rowTitle}>
          <span className={titles.title} dir="auto">
            <Link to="/avisos/$id" params={{ id }}>
              {title}
            </Link>
          </span>
          {state !== "done" && <StateBadge notice={notice} />}
        </span>
        <span className={classes.onPhone}>
          <When at={startOf(notice)} />
        </span>
      </th>
      <td className={`${classes.onDesk} ${classes.soft}`}>
        <When at={startOf(notice)} />
      </td>
      <td className={classes.onDesk}>{format.number(counts.accepted)}</td>
      <td>{format.number(receipts.displayed)}</td>
      {rate === undefined ? (
        <td>{clicked}</td>
      ) : (
        <td title={clicks}>
          {format.rate(rate)} <VisuallyHidden>({clicks})</VisuallyHidden>
        </td>
      )}
    </tr>
  );
}
