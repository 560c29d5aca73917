import { Button, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { mdiDownload } from "@mdi/js";
import type { AuditLineBody, AuditList } from "@sineta/protocol";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { read } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { DayField } from "../../parts/dates/day-field.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { When } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./audit-page.module.css";
import { auditQueryOf, validateAuditSearch, type AuditSearch } from "./audit-search.ts";
import { changeText, noticeOf, subjectOf } from "./audit-words.ts";
import { OwnersOnly } from "./owners-only.tsx";
import { isolated } from "../../parts/isolated.ts";

/** Who did what to what, when and from where. */
export function AuditPage() {
  const { settings } = useTexts();
  const project = useProject();
  const search = useSearch({ from: "/inside/ajustes/auditoria", select: validateAuditSearch });
  const query = auditQueryOf(search).toString();
  const address = `/v1/${project.path}/audit/export${query === "" ? "" : `?${query}`}`;
  return (
    <Page
      title={settings.audit.title}
      actions={
        project.may("owner") && (
          <Button
            component="a"
            href={address}
            download
            variant="default"
            leftSection={<Icon path={mdiDownload} />}
          >
            {settings.audit.export}
          </Button>
        )
      }
    >
      <OwnersOnly>
        <Filters search={search} />
        <Card title={settings.audit.lines}>
          <Lines search={search} />
        </Card>
      </OwnersOnly>
    </Page>
  );
}

function Filters({ search }: { search: AuditSearch }) {
  const { settings } = useTexts();
  const texts = settings.audit;
  const navigate = useNavigate({ from: "/ajustes/auditoria" });
  const change = (part: { [Name in keyof AuditSearch]?: string | undefined }) => {
    const all = { ...search, ...part };
    const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ search: Object.fromEntries(given), replace: true });
  };
  const actions = Object.entries(texts.actions).map(([value, label]) => ({ value, label }));
  return (
    <search className={classes.filters}>
      <NativeSelect
        label={texts.action}
        data={[{ value: "", label: texts.anyAction }, ...actions]}
        value={search.acao ?? ""}
        onChange={(event) => change({ acao: event.currentTarget.value })}
      />
      <ActorFilter
        // Another address means another text: what was typed for the one before is over.
        key={search.quem ?? ""}
        actor={search.quem ?? ""}
        onChange={(quem) => change({ quem })}
      />
      <DayField
        label={texts.from}
        value={search.de ?? ""}
        nearest="last"
        max={search.ate}
        onChange={(de) => change({ de })}
      />
      <DayField
        label={texts.until}
        value={search.ate ?? ""}
        nearest="last"
        min={search.de}
        onChange={(ate) => change({ ate })}
      />
    </search>
  );
}

/** Its text goes into the address once it is typed: the server looks for exactly this name. */
function ActorFilter({ actor, onChange }: { actor: string; onChange: (actor: string) => void }) {
  const { settings } = useTexts();
  const [typed, setTyped] = useState(actor);
  const submit = () => {
    if (typed.trim() !== actor) onChange(typed.trim());
  };
  return (
    <TextInput
      type="search"
      label={settings.audit.actor}
      placeholder="nome@exemplo.com"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={submit}
      onKeyDown={(event) => {
        if (event.key === "Enter") submit();
      }}
    />
  );
}

const pageLines = 100;

function useLines(search: AuditSearch) {
  const { name, path } = useProject();
  return useInfiniteQuery({
    queryKey: [name, "audit", search],
    queryFn: ({ pageParam, signal }) => {
      const query = auditQueryOf(search);
      query.set("limit", String(pageLines));
      if (pageParam !== 0) query.set("before", String(pageParam));
      return read<AuditList>(`${path}/audit?${query}`, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

function Lines({ search }: { search: AuditSearch }) {
  const { frame, settings } = useTexts();
  const navigate = useNavigate({ from: "/ajustes/auditoria" });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useLines(search);
  const lines = data?.pages.flatMap((page) => page.lines) ?? [];
  if (error !== null && data === undefined) {
    return <Problem error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={400} />;
  if (lines.length === 0) {
    return (
      <Empty
        drawing="search"
        sentence={settings.audit.none}
        action={
          <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
            {frame.clearFilters}
          </Button>
        }
      />
    );
  }
  return (
    <Rows
      lines={lines}
      hasMore={hasNextPage}
      onEnd={() => {
        if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
      }}
    />
  );
}

/** Only those that can be seen are drawn, however many there are. */
function Rows({
  lines,
  hasMore,
  onEnd,
}: {
  lines: readonly AuditLineBody[];
  hasMore: boolean;
  onEnd: () => void;
}) {
  const { settings } = useTexts();
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  // oxlint-disable-next-line react/incompatible-library -- What it gives goes no further than this component.
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => 68,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => lines[index]?.id ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= lines.length - 20) onEnd();
  }, [last, lines.length, onEnd]);
  return (
    <>
      <ol ref={list} className={classes.lines} style={{ blockSize: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.line}
              aria-setsize={hasMore ? -1 : lines.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <Line line={line} />
            </li>
          );
        })}
      </ol>
      {hasMore && <output>{settings.audit.more}</output>}
    </>
  );
}

function Line({ line }: { line: AuditLineBody }) {
  const { settings, session } = useTexts();
  const format = useFormat();
  const texts = settings.audit;
  const { at, actor, action, address } = line;
  const actions: Readonly<Record<string, string>> = texts.actions;
  const kind = texts.actors[actor.kind];
  const words = { audit: texts, devices: session, roles: session.roles, format };
  const subject = subjectOf(line, words);
  const notice = noticeOf(line);
  const change = changeText(line, words);
  return (
    <>
      <p>
        <strong>{actions[action] ?? action}</strong>
        {(subject !== "" || notice !== null) && " · "}
        {notice === null ? (
          subject
        ) : (
          <Link to="/avisos/$id" params={{ id: notice }}>
            {subject === "" ? texts.seeNotice : subject}
          </Link>
        )}
      </p>
      <p className={classes.soft}>
        <When at={at} /> · {actor.name === "" ? kind : `${kind}: ${isolated(actor.name)}`}
        {address !== null && address !== "" && ` · ${address}`}
      </p>
      {change !== "" && <p className={classes.change}>{change}</p>}
    </>
  );
}
