import { Skeleton } from "@mantine/core";
import type { RegistrationState, RegistrationSummary } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNow } from "../../parts/use-now.ts";
import { When } from "../../parts/when.tsx";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";
import { languageName } from "@sineta/protocol/words/language-name";
import classes from "./audience.module.css";

/** As audience.module.css has them: rows are of one height, so that nothing moves while one scrolls. */
const rowHeight = { phone: 88, desk: 52 };
const desk = "(min-width: 62em)";
/** So many rows before the end the next ones are asked for. */
const ahead = 20;

const colors: Readonly<Record<RegistrationState, string>> = {
  live: "var(--ok)",
  left: "var(--second)",
  gone: "var(--warning)",
  removed: "var(--error)",
};

/** Only the rows that can be seen are there, whatever the list's length. */
export function RegistrationTable({
  registrations,
  hasMore,
  isWaiting,
  onMore,
}: {
  registrations: readonly RegistrationSummary[];
  hasMore: boolean;
  isWaiting: boolean;
  onMore: () => void;
}) {
  const { audience } = useTexts();
  const { list } = audience;
  const body = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const height = useRowHeight();
  const isEmpty = registrations.length === 0;
  // oxlint-disable-next-line react/incompatible-library -- What it gives is not handed on to anything that remembers it.
  const virtual = useWindowVirtualizer({
    // The last one stands for those to come.
    count: registrations.length + (hasMore || isWaiting ? 1 : 0),
    estimateSize: () => height,
    overscan: 10,
    scrollMargin: top,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  useLayoutEffect(() => {
    const measure = () => {
      const found = body.current;
      if (found !== null) setTop(found.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    // The card above can be folded out.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isEmpty, height]);
  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const isNearEnd = lastShown >= registrations.length - ahead;
  useEffect(() => {
    if (isNearEnd && hasMore && !isWaiting) onMore();
  }, [isNearEnd, hasMore, isWaiting, onMore]);
  return (
    <div>
      {/* Each row says all of it: who cannot see the columns misses nothing. */}
      <div aria-hidden="true" className={classes.head}>
        <span>{audience.registration.origin}</span>
        <span>{list.state}</span>
        <span>{list.browser}</span>
        <span>{list.system}</span>
        <span>{list.language}</span>
        <span>{list.registeredAt}</span>
      </div>
      <ul
        ref={body}
        aria-label={list.table}
        className={classes.body}
        style={{ blockSize: virtual.getTotalSize() }}
      >
        {rows.map(({ index, start, key }) => {
          const registration = registrations[index];
          return (
            <li
              key={key}
              aria-setsize={-1}
              aria-posinset={index + 1}
              className={classes.row}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {registration === undefined ? (
                <Skeleton h="1.25rem" w="10rem" />
              ) : (
                <Cells registration={registration} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Cells({ registration }: { registration: RegistrationSummary }) {
  const texts = useTexts();
  const { audience } = texts;
  const { language } = useLanguage();
  const format = useFormat();
  const nowMs = useNow(60_000);
  const { token, state, browser, system, origin, userId, registeredAt } = registration;
  const site = origin === "" ? audience.registration.forgotten : hostOf(origin);
  const name = languageName(registration.language, audience.languages, language);
  return (
    <>
      <span className={classes.name}>
        <Link
          to="/publico/$token"
          params={{ token }}
          aria-label={`${site}, ${format.when(registeredAt, nowMs)}`}
        >
          {site}
        </Link>
        {userId !== undefined && (
          <>
            {" "}
            <bdi className={classes.owner}>{userId}</bdi>
          </>
        )}
      </span>
      <span className={classes.state}>
        <span className={classes.dot} style={{ background: colors[state] }} />
        {audience.states[state]}
      </span>
      <span className={`${classes.soft} ${classes.wide}`}>{audience.browsers[browser]}</span>
      <span className={`${classes.soft} ${classes.wide}`}>{audience.systems[system]}</span>
      <span className={`${classes.soft} ${classes.wide}`}>{name}</span>
      <span className={classes.soft}>
        <span className={classes.wide}>
          <When at={registeredAt} />
        </span>
        {/* On a phone, where nothing else says them. */}
        <span className={classes.narrow}>
          <When at={registeredAt} /> · {audience.browsers[browser]} · {audience.systems[system]} ·{" "}
          {name}
        </span>
      </span>
    </>
  );
}

/** As people know the site: without `https://`. */
function hostOf(origin: string): string {
  return origin.replace(/^https:\/\//, "");
}

function useRowHeight(): number {
  const [isDesk, setIsDesk] = useState(() => window.matchMedia(desk).matches);
  useEffect(() => {
    const query = window.matchMedia(desk);
    const look = () => setIsDesk(query.matches);
    look();
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return isDesk ? rowHeight.desk : rowHeight.phone;
}
