import { Skeleton } from "@mantine/core";
import type { MessageSummary } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "../../parts/card.tsx";
import titles from "../../parts/row-title.module.css";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative, When } from "../../parts/when.tsx";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { readWritten } from "../compose/logic/written.ts";
import type { useDrafts } from "../drafts/use-drafts.ts";
import { useProject } from "../../session/operator.ts";
import { startOf } from "./by-start.ts";
import { comingUp } from "./coming-up.ts";
import classes from "./home.module.css";

/** What comes next: what is scheduled, and, for those who may write, the drafts. */
export function NextCard({
  notices,
  hasMore,
  drafts: known,
}: {
  /** The notices that are still to come, the earliest start first. Undefined while the server has not answered. */
  notices: readonly MessageSummary[] | undefined;
  /** Whether the project has more scheduled notices than these. */
  hasMore: boolean;
  drafts: Pick<ReturnType<typeof useDrafts>, "query" | "listed" | "onlyHere">;
}) {
  const { audience } = useTexts();
  const format = useFormat();
  const mayWrite = useProject().may("editor");
  const drafts = savedDrafts(known);
  const shown = comingUp(notices ?? [], drafts);
  const moreScheduled = (notices?.length ?? 0) - shown.scheduled.length;
  const moreDrafts = drafts.length - shown.drafts.length;
  const isPending = notices === undefined || (mayWrite && known.query.isPending);
  const isEmpty = !isPending && notices.length === 0 && drafts.length === 0;
  return (
    <Card title={audience.next}>
      {isPending && <Skeleton h="6.5rem" />}
      {isEmpty && (
        <p className={classes.soft}>
          {mayWrite && known.query.isSuccess ? audience.nothingNext : audience.nothingScheduled}
        </p>
      )}
      {!isPending && !isEmpty && (
        <ul className={classes.plain}>
          {shown.scheduled.map((message) => (
            <Scheduled key={message.id} message={message} />
          ))}
          {shown.drafts.map((draft) => (
            <Draft key={draft.id} draft={draft} />
          ))}
        </ul>
      )}
      {moreScheduled + moreDrafts > 0 && (
        <p className={classes.more}>
          {moreScheduled > 0 && (
            <Link to="/avisos" search={{ situacao: "scheduled" }} className={classes.link}>
              {audience.moreScheduled(moreScheduled, format.number(moreScheduled), hasMore)}
            </Link>
          )}
          {moreDrafts > 0 && (
            <Link to="/avisos/rascunhos" className={classes.link}>
              {audience.moreDrafts(moreDrafts, format.number(moreDrafts))}
            </Link>
          )}
        </p>
      )}
    </Card>
  );
}

type SavedDraft = { id: string; title: string; savedAtMs: number };

/** Lists the drafts that the server has, and the drafts that only this browser has. The newest comes first. */
function savedDrafts({
  listed,
  onlyHere,
}: Pick<ReturnType<typeof useDrafts>, "listed" | "onlyHere">): SavedDraft[] {
  const saved = listed.map(({ id, title, changedAt }) => ({
    id,
    title,
    savedAtMs: Date.parse(changedAt),
  }));
  const kept = onlyHere.map(({ id, content, savedAtMs }) => ({
    id,
    title: readWritten(content).title,
    savedAtMs,
  }));
  return [...saved, ...kept].toSorted((one, other) => other.savedAtMs - one.savedAtMs);
}

function Scheduled({ message }: { message: MessageSummary }) {
  const { audience } = useTexts();
  const { id, title, scheduleAtLocal } = message;
  return (
    <Entry
      title={
        <Link to="/avisos/$id" params={{ id }}>
          {title}
        </Link>
      }
    >
      <When at={startOf(message)} />
      {scheduleAtLocal !== undefined && audience.whereTheyAre}
    </Entry>
  );
}

function Draft({ draft: { id, title, savedAtMs } }: { draft: SavedDraft }) {
  const { audience, frame } = useTexts();
  return (
    <Entry
      title={
        <Link to="/avisos/novo" search={{ rascunho: id }}>
          {audience.draft} <bdi>{title.trim() === "" ? frame.untitled : title}</bdi>
        </Link>
      }
    >
      <Sentence of={audience.saved}>
        <Relative at={savedAtMs} />
      </Sentence>
    </Entry>
  );
}

function Entry({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <li>
      <h3 className={titles.title} dir="auto">
        {title}
      </h3>
      <p className={classes.soft}>{children}</p>
    </li>
  );
}
