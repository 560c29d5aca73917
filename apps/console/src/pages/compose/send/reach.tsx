import { Progress, Skeleton } from "@mantine/core";
import type { DryRun } from "@sineta/protocol";
import { limits } from "@sineta/protocol/limits";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { obstaclesOf } from "../logic/obstacles.ts";
import classes from "./send.module.css";

/** Who would be reached, by push service, with what stands in their way. */
export function Reach({ reach, isCounting }: { reach: DryRun | undefined; isCounting: boolean }) {
  const { compose } = useTexts();
  const format = useFormat();
  if (reach === undefined) {
    return isCounting ? (
      <Skeleton height={28} />
    ) : (
      <p className={classes.count}>{compose.reachUnknown}</p>
    );
  }
  const browsers = compose.browsers(reach.registrations, format.number(reach.registrations));
  const { waiting, refused } = obstaclesOf(reach);
  return (
    <div aria-live="polite" aria-busy={isCounting}>
      <p className={classes.count} data-testid="reach">
        {compose.reach(browsers)}
      </p>
      {reach.byPushService.length > 0 && (
        <ul className={classes.services}>
          {reach.byPushService.map(({ pushService, registrations }) => (
            <li key={pushService}>
              <span>{compose.services[pushService]}</span>
              <span>{format.number(registrations)}</span>
            </li>
          ))}
        </ul>
      )}
      {reach.registrations === 0 && <p className={classes.soft}>{compose.nobody}</p>}
      {waiting.map(({ why, count }) => (
        <p key={why} className={classes.soft}>
          {compose.waiting[why](count, format.number(count))}
        </p>
      ))}
      {refused > 0 && (
        <p className={classes.soft}>{compose.refused(refused, format.number(refused))}</p>
      )}
    </div>
  );
}

/** How much room is left in a push. */
export function Room({ bytes }: { bytes: number }) {
  const { compose } = useTexts();
  const format = useFormat();
  const left = limits.plaintextBytes - bytes;
  return (
    <div className={classes.room}>
      <Progress
        value={Math.min(100, (100 * bytes) / limits.plaintextBytes)}
        color={left < 0 ? "red" : "brass"}
        aria-label={compose.bytesBar}
      />
      <p className={classes.soft} data-testid="room">
        {left < 0
          ? compose.bytesOver(format.number(-left))
          : compose.bytesLeft(format.number(left), format.number(limits.plaintextBytes))}
      </p>
    </div>
  );
}
