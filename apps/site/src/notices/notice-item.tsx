import type { Notice } from "@sineta/client";
import { timeAgo } from "./time-ago.ts";
import { locale } from "../texts.ts";

type NoticeItemProps = { notice: Notice; nowMs: number };

export function NoticeItem({ notice, nowMs }: NoticeItemProps) {
  const { title, body, icon, dir = "auto", navigate, receivedAtMs } = notice;
  const received = new Date(receivedAtMs);
  return (
    <li className="notice">
      <img className="notice-icon" src={icon ?? "/icon.svg"} alt="" width="44" height="44" />
      <div className="notice-text">
        <h2 dir={dir}>
          <a href={navigate}>{title}</a>
        </h2>
        {body !== undefined && <p dir={dir}>{body}</p>}
        <time dateTime={received.toISOString()} title={received.toLocaleString(locale)}>
          {timeAgo(receivedAtMs, nowMs)}
        </time>
      </div>
    </li>
  );
}
