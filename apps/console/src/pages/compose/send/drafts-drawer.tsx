import { Button, CloseButton, Skeleton, Stack } from "@mantine/core";
import type { Draft, DraftList, DraftSummary } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { bodyOf, read } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Problem } from "../../../parts/problem.tsx";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { SideDialog } from "../../../parts/dialog.tsx";
import type { LocalCopies } from "../logic/local-copies.ts";
import { readWritten } from "../logic/written.ts";
import classes from "./send.module.css";
import { isolated } from "../../../parts/isolated.ts";

/** The project's drafts, and those that only this browser has. Removing one can be undone. */
export function DraftsDrawer({
  isOpen,
  copies,
  onClose,
}: {
  isOpen: boolean;
  copies: LocalCopies;
  onClose: () => void;
}) {
  const { compose } = useTexts();
  const format = useFormat();
  const project = useProject();
  const queries = useQueryClient();
  const queryKey = [project.name, "drafts"];
  const [removed, setRemoved] = useState<Draft | null>(null);
  const drafts = useQuery({
    queryKey,
    enabled: isOpen,
    staleTime: 0,
    queryFn: ({ signal }) => read<DraftList>(`${project.path}/drafts`, { signal }),
  });
  const onSettled = () => queries.invalidateQueries({ queryKey });
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
  const listed = drafts.data?.drafts ?? [];
  const known = new Set(listed.map(({ id }) => id));
  const onlyHere =
    drafts.data === undefined ? [] : copies.list().filter(({ id }) => !known.has(id));
  const titleOf = (title: string) => (title.trim() === "" ? compose.untitled : title);
  const now = drafts.dataUpdatedAt;
  return (
    <SideDialog isOpen={isOpen} onClose={onClose} title={compose.draftsTitle}>
      <Stack>
        <Problem error={drafts.error ?? remove.error ?? restore.error} />
        <div aria-live="polite">
          {removed !== null && (
            <p>
              {compose.draftRemoved(isolated(titleOf(removed.title)))}{" "}
              <Button
                variant="subtle"
                loading={restore.isPending}
                onClick={() => restore.mutate(removed)}
              >
                {compose.undo}
              </Button>
            </p>
          )}
        </div>
        {drafts.isPending && <Skeleton height={132} />}
        {drafts.data !== undefined && listed.length + onlyHere.length === 0 && (
          <p>{compose.noDrafts}</p>
        )}
        <ul className={classes.drafts}>
          {onlyHere.map(({ id, content, savedAtMs }) => {
            const title = titleOf(readWritten(content).title);
            return (
              <li key={id}>
                <Link to="/avisos/novo" search={{ rascunho: id }} onClick={onClose}>
                  <span dir="auto">{title}</span>
                  <span className={classes.soft}>
                    {compose.draftChanged(compose.onlyHere, format.relative(savedAtMs, now))}
                  </span>
                </Link>
              </li>
            );
          })}
          {listed.map((draft) => (
            <li key={draft.id}>
              <Link to="/avisos/novo" search={{ rascunho: draft.id }} onClick={onClose}>
                <span dir="auto">{titleOf(draft.title)}</span>
                <span className={classes.soft}>
                  {compose.draftChanged(
                    isolated(draft.changedBy ?? compose.somebody),
                    format.relative(draft.changedAt, now),
                  )}
                </span>
              </Link>
              <CloseButton
                size="xl"
                aria-label={compose.removeDraft(isolated(titleOf(draft.title)))}
                disabled={remove.isPending}
                onClick={() => remove.mutate(draft)}
              />
            </li>
          ))}
        </ul>
      </Stack>
    </SideDialog>
  );
}
