import { Progress } from "@mantine/core";
import { limits } from "@sineta/protocol/limits";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import classes from "./send.module.css";

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
