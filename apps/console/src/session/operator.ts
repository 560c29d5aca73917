import type { OperatorAnswer, Role } from "@sineta/protocol";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { ApiProblem, bodyOf } from "../api/api-problem.ts";
import { ask } from "../api/ask.ts";

/** Who is logged in; null: nobody. */
export const operatorQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  queryFn: async (): Promise<OperatorAnswer | null> => {
    const answer = await ask<OperatorAnswer>("GET", "session");
    if (answer.ok) return answer.body;
    if (answer.code === "session-missing" || answer.code === "session-ended") return null;
    return bodyOf(Promise.resolve(answer));
  },
});

/** Who is logged in, on pages that only they get to see. */
export function useOperator(): OperatorAnswer {
  const { data } = useSuspenseQuery(operatorQuery);
  if (data === null) throw new ApiProblem({ code: "session-missing" });
  return data;
}

/** The least first; each may what those before it may. */
const roles: readonly Role[] = ["viewer", "editor", "owner"];

export type OwnProject = {
  name: string;
  role: Role;
  /** Whether the operator has at least this role in it. */
  may(role: Role): boolean;
  /** Where its routes are, behind `/v1/`. */
  path: string;
};

/** The project that is worked on: the operator's first one; so far there is no other. */
export function useProject(): OwnProject {
  return projectOf(useOperator());
}

export function projectOf(operator: OperatorAnswer): OwnProject {
  const [name = "default", role = "viewer"] = Object.entries(operator.roles)[0] ?? [];
  return {
    name,
    role,
    may: (wanted) => roles.indexOf(role) >= roles.indexOf(wanted),
    path: `projects/${name}`,
  };
}
