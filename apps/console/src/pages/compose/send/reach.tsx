import { Skeleton } from "@mantine/core";
import type { DryRun } from "@sineta/protocol";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { obstaclesOf } from "../logic/obstacles.ts";
import classes from "./send.module.css";

/** The one number: how many will receive it. */
export function WillReceive({
  reach,
  isCounting,
}: {
  reach: DryRun | undefined;
  isCounting: boolean;
}) {
  const { compose } = useTexts();
  const format = useFormat();
  if (reach === undefined) {
    return isCounting ? <Skeleton height={28} width={160} /> : <p>{compose.reachUnknown}</p>;
  }
  const count = obstaclesOf(reach).reached;
  return (
    <p aria-busy={isCounting} data-testid="reach">
      {count === 0 ? (
        compose.nobody
      ) : (
        <>
          <strong className={classes.figure}>{format.number(count)}</strong>{" "}
          {compose.willReceive(count)}
        </>
      )}
    </p>
  );
}

/** How many browsers get it later, and how many are left out. Nothing if there are none. */
export function Obstacles({ reach }: { reach: DryRun }) {
  const { compose } = useTexts();
  const format = useFormat();
  const { waiting, reached } = obstaclesOf(reach);
  const leftOut = reach.registrations - reached;
  if (leftOut === 0 && waiting.length === 0) return null;
  return (
    <div className={classes.soft}>
      {waiting.map(({ why, count }) => (
        <p key={why}>{compose.waiting[why](count, format.number(count))}</p>
      ))}
      {leftOut > 0 && <p>{compose.refused(leftOut, format.number(leftOut))}</p>}
    </div>
  );
}
