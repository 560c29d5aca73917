import { Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { MessageState, MessageSummary } from "@sineta/protocol";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import { NoticeRow } from "./notice-row.tsx";
import classes from "./notices.module.css";

/** As notices.module.css has them: estimates until a row was measured. */
const rowHeight = { phone: 158, desk: 72 };
const groupHeight = 48;

/** A line of the list: the name of a group, or a notice. */
type Line = { group: "scheduled" | "others" } | { notice: MessageSummary };

/** The notices that are in sight, of however many; the next ones are asked for before the end is. */
export function NoticeList({
  scheduled,
  others,
  hasMore,
  isStale,
  loadMore,
  onState,
}: {
  /** A group of their own, before the others. Without any there are no groups. */
  scheduled: readonly MessageSummary[];
  others: readonly MessageSummary[];
  hasMore: boolean;
  isStale: boolean;
  loadMore: () => void;
  onState: (id: string, state: MessageState) => void;
}) {
  const { notices: texts } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  const isDesk = useMediaQuery("(min-width: 62em)") ?? true;
  const lines = useMemo(() => linesOf(scheduled, others), [scheduled, others]);
  const isGrouped = scheduled.length > 0;
  const height = isDesk ? rowHeight.desk : rowHeight.phone;
  // oxlint-disable-next-line react/incompatible-library -- What it gives is used here alone, and nothing of it is kept.
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => ("group" in lineAt(lines, index) ? groupHeight : height),
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => {
      const line = lineAt(lines, index);
      return "group" in line ? line.group : line.notice.id;
    },
  });
  const rows = virtualizer.getVirtualItems();
  const lastInSight = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastInSight >= lines.length - 15) loadMore();
  }, [hasMore, lastInSight, lines.length, loadMore]);
  return (
    <div className={classes.table} data-stale={isStale}>
      <Columns />
      <ul
        ref={list}
        className={classes.list}
        style={{ blockSize: virtualizer.getTotalSize() }}
        aria-busy={isStale}
      >
        {rows.map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : lines.length}
            >
              {"group" in line ? (
                <h2 className={classes.group}>{texts.groups[line.group]}</h2>
              ) : (
                <NoticeRow
                  notice={line.notice}
                  heading={isGrouped ? "h3" : "h2"}
                  onState={onState}
                />
              )}
            </li>
          );
        })}
      </ul>
      {hasMore && <p className={classes.more}>{texts.loadingMore}</p>}
    </div>
  );
}

function linesOf(
  scheduled: readonly MessageSummary[],
  others: readonly MessageSummary[],
): readonly Line[] {
  const rows = others.map((notice) => ({ notice }));
  if (scheduled.length === 0) return rows;
  const first = [{ group: "scheduled" } as const, ...scheduled.map((notice) => ({ notice }))];
  return rows.length === 0 ? first : [...first, { group: "others" }, ...rows];
}

function lineAt(lines: readonly Line[], index: number): Line {
  const line = lines[index];
  if (line === undefined) throw new Error(`the list has no line ${index}`);
  return line;
}

/** What stands above the figures on a desk; on a phone each has its own word. */
function Columns() {
  const { notices } = useTexts();
  return (
    <div className={classes.columns} aria-hidden="true">
      <span>{notices.notice}</span>
      <span>{notices.when}</span>
      <span className={classes.number}>{notices.accepted}</span>
      <span className={classes.number}>{notices.displayed}</span>
      <span className={classes.number}>{notices.clicked}</span>
      <span />
    </div>
  );
}

/** As large as what comes. */
export function NoticeListSkeleton() {
  const { frame } = useTexts();
  return (
    <section className={classes.table} aria-busy="true" aria-label={frame.loading}>
      <Columns />
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={classes.waiting}>
          <Skeleton height="1.125rem" width="45%" />
          <Skeleton height="0.875rem" width="70%" mt="0.5rem" />
        </div>
      ))}
    </section>
  );
}
