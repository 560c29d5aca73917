import { Skeleton } from "@mantine/core";
import type { MessageProgress, ReceiptsOverTime } from "@sineta/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { bucketsOf, runningTotals, type Buckets, type Total } from "./buckets.ts";
import classes from "./over-time.module.css";
import { AreasKey, OverTimeChart } from "./over-time-chart.tsx";
import { noticeKey } from "./notice-query.ts";
import { WideTable } from "./wide-table.tsx";

const columns = ["accepted", "displayed", "clicked", "closed"] as const;

/** How many had accepted, displayed, clicked and closed the notice by the end of each hour or day: as a chart, and as a table. */
export function OverTimeCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const project = useProject();
  const tickMs = useNow(60_000);
  // Asked for anew when there is anything new in it.
  const { counts, receipts, startedAt } = notice;
  const marks = [counts.accepted, receipts.displayed, receipts.clicked, receipts.closed];
  const overTime = useQuery({
    queryKey: [...noticeKey(project.name, notice.id), "over-time", ...marks],
    queryFn: ({ signal }) =>
      read<ReceiptsOverTime>(`${project.path}/messages/${notice.id}/receipts-over-time`, {
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const all = bucketsOf(overTime.data?.hours ?? []);
  // An answer may be newer than the last tick of the clock.
  const nowMs = Math.max(tickMs, overTime.dataUpdatedAt);
  const totals = runningTotals(all, nowMs);
  const textOf = useEndText(all.size, nowMs);
  const firstMs = all.buckets[0]?.atMs ?? 0;
  const [pointed, setPointed] = useState<number | null>(null);
  const total = pointed === null ? undefined : totals[pointed];
  return (
    <Card title={notices.overTime}>
      {overTime.isError && (
        <Problem error={overTime.error} onRetry={() => void overTime.refetch()} />
      )}
      {overTime.isPending && <Skeleton height="15.75rem" />}
      {overTime.isSuccess && totals.length === 0 && (
        <Empty drawing="chart" sentence={notices.overTimeNone} />
      )}
      {totals.length > 0 && (
        <>
          <AreasKey pointed={total && { total, text: textOf(total) }} />
          <OverTimeChart
            size={all.size}
            totals={totals}
            startMs={Math.max(firstMs, startedAt === undefined ? 0 : Date.parse(startedAt))}
            pointed={pointed}
            onPoint={setPointed}
          />
          <AsTable totals={totals} textOf={textOf} />
        </>
      )}
    </Card>
  );
}

/** Says the end of an hour or a day. */
function useEndText(size: Buckets["size"], nowMs: number): (total: Total) => string {
  const { notices } = useTexts();
  const format = useFormat();
  return ({ untilMs, isOpen }) => {
    if (isOpen) return notices.now;
    // A day is named by itself, and not by the midnight that ends it.
    return size === "hour" ? format.when(untilMs, nowMs) : format.shortDay(untilMs - 1);
  };
}

/** Whether anything was counted since the total before. */
function isNews(total: Total, index: number, totals: readonly Total[]): boolean {
  const before = totals[index - 1];
  return before === undefined || columns.some((each) => total[each] !== before[each]);
}

function AsTable({
  totals,
  textOf,
}: {
  totals: readonly Total[];
  textOf: (total: Total) => string;
}) {
  const { notices } = useTexts();
  const format = useFormat();
  return (
    <details>
      <summary className={classes.summary}>{notices.asTable}</summary>
      <WideTable title={notices.overTime}>
        <thead>
          <tr>
            <th scope="col">{notices.untilWhen}</th>
            {columns.map((each) => (
              <th key={each} scope="col">
                {notices[each]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {totals.filter(isNews).map((total) => (
            <tr key={total.atMs}>
              <th scope="row">{textOf(total)}</th>
              {columns.map((each) => (
                <td key={each}>{format.number(total[each])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </WideTable>
    </details>
  );
}
