import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { mdiTrashCanOutline } from "@mdi/js";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";
import { Empty } from "../../parts/empty.tsx";
import { Icon } from "../../parts/icon.tsx";
import { isolated } from "../../parts/isolated.ts";
import { pageTitle, takeLostFocus } from "../../parts/lost-focus.ts";
import { NewNotice } from "../../parts/new-notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import titles from "../../parts/row-title.module.css";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { readWritten } from "../compose/logic/written.ts";
import { NoticesTabs } from "../notices/notices-tabs.tsx";
import classes from "./drafts-page.module.css";
import { useDrafts } from "./use-drafts.ts";
import { useRemoval, type ListedDraft } from "./use-removal.ts";

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

/** Lists the drafts that only this browser has, then the project's. An operator can undo a removal. */
function Drafts() {
  const { frame } = useTexts();
  const { query, listed, onlyHere, count } = useDrafts();
  const removal = useRemoval();
  const { removed, error } = removal;
  const hasNone = query.isSuccess && count === 0;
  const isThere = ({ id }: { id: string }) => id !== removed?.id;
  return (
    <Page title={frame.drafts} action={!hasNone && <NewNotice />}>
      <NoticesTabs />
      {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {error !== null && <Problem error={error} />}
      <div>
        <div aria-live="polite">
          {removed !== null && (
            <Removed
              key={removed.id}
              title={removed.title}
              isBusy={removal.isBusy}
              onUndo={removal.restore}
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
          <DraftList
            listed={listed.filter(isThere)}
            onlyHere={onlyHere.filter(isThere)}
            isBusy={removal.isBusy}
            onRemove={removal.remove}
          />
        )}
      </div>
    </Page>
  );
}

function useTitle(): (title: string) => string {
  const { frame } = useTexts();
  return (title) => (title.trim() === "" ? frame.untitled : title);
}

function DraftList({
  listed,
  onlyHere,
  isBusy,
  onRemove,
}: Pick<ReturnType<typeof useDrafts>, "listed" | "onlyHere"> & {
  isBusy: boolean;
  onRemove: (draft: ListedDraft) => void;
}) {
  const { notices } = useTexts();
  const titleOf = useTitle();
  const common = { isBusy, onRemove };
  return (
    <ul className={classes.list}>
      {onlyHere.map(({ id, content, savedAtMs }) => {
        const { title, replaces } = readWritten(content);
        return (
          <Row
            key={id}
            {...common}
            draft={{ id, title: titleOf(title), isOnlyHere: true }}
            about={<Changed who={notices.onlyHere} at={savedAtMs} />}
            isChange={replaces !== ""}
          />
        );
      })}
      {listed.map(({ id, title, changedBy, changedAt, replaces }) => (
        <Row
          key={id}
          {...common}
          draft={{ id, title: titleOf(title), isOnlyHere: false }}
          about={<Changed who={isolated(changedBy ?? notices.somebody)} at={changedAt} />}
          isChange={replaces !== undefined}
        />
      ))}
    </ul>
  );
}

function Changed({ who, at }: { who: string; at: string | number }) {
  const { notices } = useTexts();
  return (
    <Sentence of={notices.draftChanged}>
      {who}
      <Relative at={at} />
    </Sentence>
  );
}

function Removed({
  title,
  isBusy,
  onUndo,
}: {
  title: string;
  isBusy: boolean;
  onUndo: () => void;
}) {
  const { notices } = useTexts();
  const undo = useRef<HTMLButtonElement>(null);
  // The button that removed the draft has left the page. After an undo, this one does.
  useEffect(() => {
    takeLostFocus(undo.current);
    return () => takeLostFocus(pageTitle());
  }, []);
  return (
    <p className={classes.removed}>
      {notices.draftRemoved(isolated(title))}
      <Button ref={undo} variant="subtle" aria-disabled={isBusy} onClick={onUndo}>
        {notices.undo}
      </Button>
    </p>
  );
}

function Row({
  draft,
  about,
  isChange,
  isBusy,
  onRemove,
}: {
  draft: ListedDraft;
  about: ReactNode;
  /** Whether it changes a scheduled notice. */
  isChange: boolean;
  isBusy: boolean;
  onRemove: (draft: ListedDraft) => void;
}) {
  const { notices } = useTexts();
  const { id, title } = draft;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <h2 className={titles.title} dir="auto">
          <Link to="/avisos/novo" search={{ rascunho: id }}>
            {title}
          </Link>
        </h2>
        {isChange && <p className={classes.about}>{notices.draftOfChange}</p>}
        <p className={classes.about}>{about}</p>
      </div>
      {/* A disabled button would lose the focus. */}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={notices.removeDraft(isolated(title))}
        aria-disabled={isBusy}
        onClick={() => onRemove(draft)}
      >
        <Icon path={mdiTrashCanOutline} />
      </ActionIcon>
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
