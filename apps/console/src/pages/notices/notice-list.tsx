import { Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { MessageState, MessageSummary } from "@sineta/protocol";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import { NoticeRow } from "./notice-row.tsx";
import classes from "./notices.module.css";

/** As notices.module.css has them: estimates until a row was measured. */
const rowHeight = { phone: 158, desk: 72 };

/** The notices that are in sight, of however many; the next ones are asked for before the end is. */
export function NoticeList({
  notices,
  hasMore,
  isStale,
  loadMore,
  onState,
}: {
  notices: readonly MessageSummary[];
  hasMore: boolean;
  isStale: boolean;
  loadMore: () => void;
  onState: (id: string, state: MessageState) => void;
}) {
  const { notices: texts } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  const isDesk = useMediaQuery("(min-width: 62em)") ?? true;
  // oxlint-disable-next-line react/incompatible-library -- What it gives is used here alone, and nothing of it is kept.
  const virtualizer = useWindowVirtualizer({
    count: notices.length,
    estimateSize: () => (isDesk ? rowHeight.desk : rowHeight.phone),
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => notices[index]?.id ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const lastInSight = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastInSight >= notices.length - 15) loadMore();
  }, [hasMore, lastInSight, notices.length, loadMore]);
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
          const notice = notices[index];
          if (notice === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : notices.length}
            >
              <NoticeRow notice={notice} onState={onState} />
            </li>
          );
        })}
      </ul>
      {hasMore && <p className={classes.more}>{texts.loadingMore}</p>}
    </div>
  );
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
