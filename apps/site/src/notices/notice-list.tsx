import type { Notice } from "@sineta/client";
import { texts } from "../texts.ts";
import { NoticeItem } from "./notice-item.tsx";
import { useNow } from "./use-now.ts";

type NoticeListProps = { notices: readonly Notice[] };

/** The notices that this browser has received, newest first. */
export function NoticeList({ notices }: NoticeListProps) {
  const nowMs = useNow();
  if (notices.length === 0) return <EmptyState />;
  return (
    <ul className="notices">
      {notices.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} nowMs={Math.max(nowMs, notice.receivedAtMs)} />
      ))}
    </ul>
  );
}

function EmptyState() {
  return (
    <div className="empty">
      <img src="/icon.svg" alt="" width="72" height="72" />
      <p className="empty-title">{texts.emptyTitle}</p>
      <p>{texts.emptyBody}</p>
    </div>
  );
}
