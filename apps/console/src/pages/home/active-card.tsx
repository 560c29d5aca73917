import { Skeleton } from "@mantine/core";
import type { DayFigures } from "@sineta/protocol";
import { Sparkline } from "../../charts/sparkline.tsx";
import { Card } from "../../parts/card.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { firstRange } from "./queries.ts";
import { sumOf } from "./sums.ts";
import classes from "./home.module.css";

/** How many subscribers can be reached, and by how many their number has grown. */
export function ActiveCard({
  live,
  days,
  isPending,
}: {
  /** Undefined until it is known. */
  live: number | undefined;
  /** The last thirty. Undefined while the server has not answered, and after a failure. */
  days: readonly DayFigures[] | undefined;
  /** Whether the answer with the days is still to come. */
  isPending: boolean;
}) {
  const { audience } = useTexts();
  const format = useFormat();
  // A new project has no curve yet.
  const shownDays = days?.some((day) => day.live > 0) ? days : undefined;
  return (
    <Card title={audience.active}>
      <p className={classes.figureLine}>
        <span className={classes.large}>
          {live === undefined ? <Skeleton w="7rem" h="2.5rem" /> : format.number(live)}
        </span>
        {shownDays && <Growth days={shownDays} />}
      </p>
      {isPending && <Skeleton h="3.25rem" />}
      {shownDays && <Sparkline values={shownDays.map((day) => day.live)} />}
    </Card>
  );
}

function Growth({ days }: { days: readonly DayFigures[] }) {
  const { audience } = useTexts();
  const format = useFormat();
  const { came, lost } = sumOf(days);
  const by = came - lost;
  return (
    <span className={classes.soft}>
      <strong className={classes.growth} data-grows={by > 0}>
        {format.change(by)}
      </strong>{" "}
      {audience.inDays(firstRange)}
    </span>
  );
}
