import type { MessageProgress } from "@sineta/protocol";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import signs from "./signs.module.css";
import { StackedBar } from "./stacked-bar.tsx";
import { WideTable } from "./wide-table.tsx";

const outcomes = ["accepted", "retry", "gone", "rejected", "failed"] as const;

/** What became of the notice at each push service. */
export function PushServices({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const format = useFormat();
  if (notice.byPushService.length === 0) return null;
  return (
    <WideTable title={notices.byPushService}>
      <thead>
        <tr>
          <th scope="col">{notices.pushService}</th>
          <th scope="col">{notices.registrations}</th>
          {outcomes.map((outcome) => (
            <th key={outcome} scope="col">
              <span className={classes.head}>
                <span
                  className={`${signs.outcome} ${classes.dot}`}
                  data-outcome={outcome}
                  aria-hidden="true"
                />
                {notices[outcome]}
              </span>
            </th>
          ))}
          <th scope="col">
            <span className={classes.head}>
              <span
                className={`${signs.outcome} ${classes.dot}`}
                data-outcome="unsent"
                aria-hidden="true"
              />
              {notices.unsent}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {notice.byPushService.map(({ pushService, registrations, counts, unsent }) => (
          <tr key={pushService}>
            <th scope="row">
              <div className={classes.service}>
                {notices.pushServices[pushService]}
                <StackedBar counts={counts} registrations={registrations} />
              </div>
            </th>
            <td>{format.number(registrations)}</td>
            {outcomes.map((outcome) => (
              <td key={outcome}>{format.number(counts[outcome])}</td>
            ))}
            <td>{format.number(unsent)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
