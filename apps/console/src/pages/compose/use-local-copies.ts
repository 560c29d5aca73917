import { useMemo, useState } from "react";
import { useOperator, useProject } from "../../session/operator.ts";
import { createLocalCopies, type LocalCopies } from "./logic/local-copies.ts";
import { newId } from "./logic/new-id.ts";

/** The operator's drafts of this project that this browser keeps. */
export function useLocalCopies(): LocalCopies {
  const project = useProject();
  const operator = useOperator();
  const [tab] = useState(newId);
  return useMemo(
    () => createLocalCopies(window.localStorage, `${project.name}:${operator.id}`, tab),
    [project.name, operator.id, tab],
  );
}
