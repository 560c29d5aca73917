import type { ComposeSearch } from "../compose/search.ts";
import { useDrafts } from "./use-drafts.ts";

/** Where a scheduled notice is changed: in the draft of a change that was begun, or anew. */
export function useEdit(id: string): { search: ComposeSearch; isBegun: boolean } {
  const draft = useDrafts().listed.find(({ replaces }) => replaces === id);
  return draft === undefined
    ? { search: { editar: id }, isBegun: false }
    : { search: { rascunho: draft.id }, isBegun: true };
}
