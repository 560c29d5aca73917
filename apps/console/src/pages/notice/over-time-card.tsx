import { Skeleton } from "@mantine/core";
import type { MessageProgress, ReceiptsOverTime } from "@sineta/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { bucketsOf, type Bucket, type Buckets } from "./buckets.ts";
import classes from "./notice.module.css";
import { OverTimeChart } from "./over-time-chart.tsx";
import { noticeKey } from "./use-notice.ts";
import { WideTable } from "./wide-table.tsx";

const series = ["accepted", "displayed", "clicked", "closed"] as const;

/** What was accepted, displayed, clicked and closed in each hour or day: as a chart, and as a table. */
export function OverTimeCard({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const project = useProject();
  // Asked for anew when there is anything new in it.
  const { counts, receipts } = notice;
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
  if (notice.state === "scheduled") return null;
  const { size, buckets } = bucketsOf(overTime.data?.hours ?? []);
  return (
    <Card title={notices.overTime}>
      <p className={classes.dimmed}>{notices.overTimeWhat}</p>
      {overTime.isError && (
        <Problem error={overTime.error} onRetry={() => void overTime.refetch()} />
      )}
      {overTime.isPending && <Skeleton height="18rem" />}
      {overTime.isSuccess && buckets.length === 0 && (
        <Empty drawing="chart" sentence={notices.overTimeNone} />
      )}
      {buckets.length > 0 && (
        <>
          <OverTimeChart size={size} buckets={buckets} />
          <AsTable size={size} buckets={buckets} />
        </>
      )}
    </Card>
  );
}

function AsTable({ size, buckets }: Buckets) {
  const { notices } = useTexts();
  const format = useFormat();
  const name = ({ atMs }: Bucket) => (size === "hour" ? format.dateTime(atMs) : format.date(atMs));
  return (
    <details className={classes.asTable}>
      <summary>{notices.asTable}</summary>
      <WideTable title={notices.overTime}>
        <thead>
          <tr>
            <th scope="col">{notices[size]}</th>
            {series.map((each) => (
              <th key={each} scope="col">
                {notices[each]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.atMs}>
              <th scope="row">{name(bucket)}</th>
              {series.map((each) => (
                <td key={each}>{format.number(bucket[each])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </WideTable>
    </details>
  );
}
