import { useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import { causeOf } from "./reason-groups.ts";

/** What a reason means and what to do, with what is known of it. Of a reason of a later version, its code. */
export function ReasonText({ reason, detail }: { reason: string; detail: string }) {
  const { notices } = useTexts();
  const cause = causeOf({ reason, detail }, (code) => Object.hasOwn(notices.reasons, code));
  const words = notices.reasons[cause.code];
  return (
    <dl className={classes.reason}>
      <div>
        <dt>{notices.whatItMeans}</dt>
        <dd>
          {words?.meaning ?? cause.code}
          {cause.detail !== "" && (
            <span className={classes.detail}>
              {cause.said ? notices.itSaid(cause.detail) : notices.cause(cause.detail)}
            </span>
          )}
        </dd>
      </div>
      {words !== undefined && (
        <div>
          <dt>{notices.whatToDo}</dt>
          <dd>{words.remedy}</dd>
        </div>
      )}
    </dl>
  );
}
