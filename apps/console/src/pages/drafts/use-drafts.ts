import type { DraftList } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";
import { useProject } from "../../session/operator.ts";
import { useLocalCopies } from "../compose/use-local-copies.ts";

export const draftsKey = (project: { name: string }) => [project.name, "drafts"];

/**
 * Reads the project's drafts, and finds the drafts that the server does not have and this browser does. When the server does not
 * answer, these are all that this browser keeps.
 */
export function useDrafts() {
  const project = useProject();
  const copies = useLocalCopies();
  const query = useQuery({
    queryKey: draftsKey(project),
    enabled: project.may("editor"),
    staleTime: 0,
    queryFn: ({ signal }) => read<DraftList>(`${project.path}/drafts`, { signal }),
  });
  const listed = query.data?.drafts ?? [];
  const known = new Set(listed.map(({ id }) => id));
  const onlyHere = query.isPending ? [] : copies.list().filter(({ id }) => !known.has(id));
  return { query, listed, onlyHere, count: listed.length + onlyHere.length };
}
