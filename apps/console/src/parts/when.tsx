import type { ReactNode } from "react";
import type { Format } from "../texts/format.ts";
import { useFormat } from "../texts/use-texts.tsx";
import { useNow } from "./use-now.ts";

/** ISO 8601, or milliseconds since 1970. Text without a time zone is the time of day that each person's own clock shows. */
type Moment = string | number;

/**
 * A moment as people say it: "hoje, 23:11". The tooltip has it exactly.
 * @param isAfterVerb whether the sentence says on which day something happened: "criada em 4 nov, 18:00"
 */
export function When({
  at,
  isAfterVerb = false,
  className,
}: {
  at: Moment;
  isAfterVerb?: boolean;
  className?: string | undefined;
}) {
  const format = useFormat();
  const nowMs = useNow(60_000);
  return (
    <Time at={at} className={className}>
      {isAfterVerb ? format.on(at, nowMs) : format.when(at, nowMs)}
    </Time>
  );
}

/**
 * How long ago a moment was, or how soon it comes: "há 5 minutos". The tooltip has it exactly.
 * @param nowMs the caller's clock, where it may be ahead of this one's
 * @param isAhead whether the moment never reads as over: it reads as now when its time has come
 */
export function Relative({
  at,
  nowMs = 0,
  isAhead = false,
}: {
  at: Moment;
  nowMs?: number;
  isAhead?: boolean;
}) {
  const format = useFormat();
  const now = Math.max(useNow(), nowMs);
  const shown = isAhead ? Math.max(new Date(at).getTime(), now) : at;
  return <Time at={at}>{format.relative(shown, now)}</Time>;
}

function Time({
  at,
  className,
  children,
}: {
  at: Moment;
  className?: string | undefined;
  children: ReactNode;
}) {
  const format = useFormat();
  const machine = typeof at === "number" ? new Date(at).toISOString() : at;
  return (
    <time dateTime={machine} title={exactly(machine, format)} className={className}>
      {children}
    </time>
  );
}

function exactly(moment: string, format: Format): string {
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(moment);
  return hasZone ? format.exact(moment) : format.dateTime(moment);
}
