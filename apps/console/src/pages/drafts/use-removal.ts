import type { Draft, DraftSummary } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf, read } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { useProject } from "../../session/operator.ts";
import type { LocalCopy } from "../compose/logic/local-copies.ts";
import { useLocalCopies } from "../compose/use-local-copies.ts";
import { draftsKey } from "./use-drafts.ts";

/** A draft as the list shows it. */
export type ListedDraft = {
  id: string;
  title: string;
  /** Whether only this browser has it. */
  isOnlyHere: boolean;
};

type Removed = ListedDraft & {
  /** As the server had it. */
  draft: Draft | null;
  /** As this browser had it. */
  copy: LocalCopy | null;
};

/** Removes drafts from the server and from this browser. Keeps the latest removed one, so that the operator can undo that. */
export function useRemoval() {
  const project = useProject();
  const queries = useQueryClient();
  const copies = useLocalCopies();
  const [removed, setRemoved] = useState<Removed | null>(null);
  const addressOf = (id: string) => `${project.path}/drafts/${id}`;
  const onSettled = () => queries.invalidateQueries({ queryKey: draftsKey(project) });
  const remove = useMutation({
    async mutationFn(listed: ListedDraft): Promise<Removed> {
      const { id } = listed;
      let draft: Draft | null = null;
      if (!listed.isOnlyHere) {
        draft = await read<Draft>(addressOf(id));
        await bodyOf(ask("DELETE", addressOf(id)));
      }
      return { ...listed, draft, copy: copies.remove(id) };
    },
    onSuccess: setRemoved,
    onSettled,
  });
  const restore = useMutation({
    async mutationFn({ id, draft, copy }: Removed): Promise<void> {
      if (draft === null) {
        if (copy !== null) copies.keep(copy);
        return;
      }
      const body = { revision: 0, content: draft.content };
      const { revision } = await bodyOf(ask<DraftSummary>("PUT", addressOf(id), { body }));
      // If another operator had changed the draft since, the page that writes it asks again which of the two is to stay.
      if (copy !== null) {
        copies.keep({ ...copy, revision: copy.revision === draft.revision ? revision : 0 });
      }
    },
    onSuccess: () => setRemoved(null),
    onSettled,
  });
  const isBusy = remove.isPending || restore.isPending;
  return {
    removed,
    /** Of what was tried last. */
    error: remove.error ?? restore.error,
    /** Whether a removal or an undo is going on. Meanwhile no other one starts, because only the last one can be repeated. */
    isBusy,
    remove: (listed: ListedDraft) => {
      if (isBusy) return;
      restore.reset();
      remove.mutate(listed);
    },
    restore: () => {
      if (removed === null || isBusy) return;
      remove.reset();
      restore.mutate(removed);
    },
  };
}
