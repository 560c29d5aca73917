import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { mdiTrashCanOutline } from "@mdi/js";
import type { Draft, DraftSummary } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { bodyOf, read } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { Empty } from "../../parts/empty.tsx";
import { Icon } from "../../parts/icon.tsx";
import { isolated } from "../../parts/isolated.ts";
import { NewNotice } from "../../parts/new-notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import titles from "../../parts/row-title.module.css";
import { useNow } from "../../parts/use-now.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { readWritten } from "../compose/logic/written.ts";
import { NoticesTabs } from "../notices/notices-tabs.tsx";
import classes from "./drafts-page.module.css";
import { draftsKey, useDrafts } from "./use-drafts.ts";

/** What is written and not sent yet. */
export function DraftsPage() {
  const { frame, session } = useTexts();
  if (!useProject().may("editor")) {
    return (
      <Page title={frame.drafts}>
        <p>{session.mayNot(session.roles.editor)}</p>
      </Page>
    );
  }
  return <Drafts />;
}

/** Lists the project's drafts, then the drafts that only this browser has. An operator can undo a removal. */
function Drafts() {
  const { frame } = useTexts();
  const titleOf = useTitle();
  const drafts = useDrafts();
  const { query, count } = drafts;
  const { removed, remove, restore } = useRemoval();
  const failed = remove.error ?? restore.error;
  const hasNone = query.isSuccess && count === 0;
  return (
    <Page title={frame.drafts} action={!hasNone && <NewNotice />}>
      <NoticesTabs />
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {failed !== null && <Problem error={failed} />}
      <div>
        <div aria-live="polite">
          {removed !== null && (
            <Removed
              key={removed.id}
              title={isolated(titleOf(removed.title))}
              isRestoring={restore.isPending}
              onUndo={() => restore.mutate(removed)}
            />
          )}
        </div>
        {query.isPending && (
          <section className={classes.list} aria-busy="true" aria-label={frame.loading}>
            {Array.from({ length: 3 }, (_, index) => (
              <div key={index} className={classes.row}>
                <Skeleton height="2.75rem" />
              </div>
            ))}
          </section>
        )}
        {hasNone && <NoDrafts />}
        {count > 0 && (
          <DraftList {...drafts} isRemoving={remove.isPending} onRemove={remove.mutate} />
        )}
      </div>
    </Page>
  );
}

function useTitle(): (title: string) => string {
  const { notices } = useTexts();
  return (title) => (title.trim() === "" ? notices.untitled : title);
}

function DraftList({
  listed,
  onlyHere,
  isRemoving,
  onRemove,
}: Pick<ReturnType<typeof useDrafts>, "listed" | "onlyHere"> & {
  isRemoving: boolean;
  onRemove: (draft: DraftSummary) => void;
}) {
  const { notices } = useTexts();
  const titleOf = useTitle();
  const format = useFormat();
  const now = useNow();
  return (
    <ul className={classes.list}>
      {onlyHere.map(({ id, content, savedAtMs }) => (
        <Row
          key={id}
          id={id}
          title={titleOf(readWritten(content).title)}
          about={notices.draftChanged(notices.onlyHere, format.relative(savedAtMs, now))}
        />
      ))}
      {listed.map((draft) => (
        <Row
          key={draft.id}
          id={draft.id}
          title={titleOf(draft.title)}
          about={notices.draftChanged(
            isolated(draft.changedBy ?? notices.somebody),
            format.relative(draft.changedAt, now),
          )}
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={notices.removeDraft(isolated(titleOf(draft.title)))}
            disabled={isRemoving}
            onClick={() => onRemove(draft)}
          >
            <Icon path={mdiTrashCanOutline} />
          </ActionIcon>
        </Row>
      ))}
    </ul>
  );
}

/** Removes a draft. Keeps the latest removed one, so that the operator can save it again. */
function useRemoval() {
  const project = useProject();
  const queries = useQueryClient();
  const [removed, setRemoved] = useState<Draft | null>(null);
  const onSettled = () => queries.invalidateQueries({ queryKey: draftsKey(project) });
  const remove = useMutation({
    mutationFn: async ({ id }: DraftSummary) => {
      const address = `${project.path}/drafts/${id}`;
      const whole = await read<Draft>(address);
      await bodyOf(ask("DELETE", address));
      return whole;
    },
    onSuccess: setRemoved,
    onSettled,
  });
  const restore = useMutation({
    mutationFn: ({ id, content }: Draft) =>
      bodyOf(ask("PUT", `${project.path}/drafts/${id}`, { body: { revision: 0, content } })),
    onSuccess: () => setRemoved(null),
    onSettled,
  });
  return { removed, remove, restore };
}

function Removed({
  title,
  isRestoring,
  onUndo,
}: {
  title: string;
  isRestoring: boolean;
  onUndo: () => void;
}) {
  const { notices } = useTexts();
  const undo = useRef<HTMLButtonElement>(null);
  // The button that removed the draft is gone, and had the focus: this one takes it. After an undo the title does.
  useEffect(() => {
    undo.current?.focus();
    return () => document.querySelector("h1")?.focus();
  }, []);
  return (
    <p className={classes.removed}>
      {notices.draftRemoved(title)}
      <Button ref={undo} variant="subtle" loading={isRestoring} onClick={onUndo}>
        {notices.undo}
      </Button>
    </p>
  );
}

function Row({
  id,
  title,
  about,
  children,
}: {
  id: string;
  title: string;
  about: string;
  children?: ReactNode;
}) {
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <h2 className={titles.title} dir="auto">
          <Link to="/avisos/novo" search={{ rascunho: id }}>
            {title}
          </Link>
        </h2>
        <p className={classes.about}>{about}</p>
      </div>
      {children}
    </li>
  );
}

function NoDrafts() {
  const { notices } = useTexts();
  return (
    <Empty
      drawing="draft"
      sentence={notices.noDrafts}
      action={
        <Button renderRoot={(props) => <Link to="/avisos/novo" {...props} />}>
          {notices.write}
        </Button>
      }
    />
  );
}
