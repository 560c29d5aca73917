import type { MessageProgress } from "@sineta/protocol";
import { Card } from "../../parts/card.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";

/** What became of the notice: four figures that mean different things, each with what it means. */
export function FiguresCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  const { counts, receipts, audience, clicksByAction, notification } = notice;
  const part = (count: number, all: number) => (all === 0 ? null : format.percent(count / all));
  const ofAccepted = (count: number) => part(count, counts.accepted);
  const accepted = part(counts.accepted, audience.registrations);
  const reported = (count: number) => {
    const share = ofAccepted(count);
    return share === null ? "" : notices.ofAccepted(share);
  };
  const figures = [
    {
      name: notices.accepted,
      count: counts.accepted,
      share: accepted === null ? "" : notices.ofAudience(accepted),
      what: notices.acceptedWhat,
    },
    {
      name: notices.displayed,
      count: receipts.displayed,
      share: reported(receipts.displayed),
      what: notices.displayedWhat,
    },
    {
      name: notices.clicked,
      count: receipts.clicked,
      share: reported(receipts.clicked),
      what: notices.clickedWhat,
    },
    {
      name: notices.closed,
      count: receipts.closed,
      share: reported(receipts.closed),
      what: notices.closedWhat,
    },
  ];
  const buttons = notification.actions ?? [];
  return (
    <Card title={notices.figures}>
      <dl className={classes.figures}>
        {figures.map(({ name, count, share, what }) => (
          <div key={name} className={classes.figure}>
            <dt>{name}</dt>
            <dd className={classes.figureCount}>{format.number(count)}</dd>
            <dd className={classes.figureShare}>{share}</dd>
            <dd className={classes.figureWhat}>{what}</dd>
          </div>
        ))}
      </dl>
      {buttons.length > 0 && (
        <section>
          <h3 className={classes.subtitle}>{notices.clicksByAction}</h3>
          <ul className={classes.plainList}>
            {buttons.map(({ action, title }) => (
              <li key={action}>
                <bdi>{title}</bdi>: <strong>{format.number(clicksByAction[action] ?? 0)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  );
}
