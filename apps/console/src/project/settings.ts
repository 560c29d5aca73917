import type { Installation, ProjectSettings, SettingsChange } from "@sineta/protocol";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { tidyName } from "../parts/tidy-text.ts";
import { bodyOf, read } from "../api/api-problem.ts";
import { ask } from "../api/ask.ts";
import type { OwnProject } from "../session/operator.ts";

type Place = Pick<OwnProject, "name" | "path">;

export const settingsQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "settings"],
    queryFn: ({ signal }) => read<ProjectSettings>(`${path}/settings`, { signal }),
  });

/** How the project is installed: everybody of it may read that. */
export const installationQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "installation"],
    queryFn: ({ signal }) => read<Installation>(`${path}/installation`, { signal }),
  });

/** Changes settings, and the name that everybody reads. */
export function useChangeSettings(project: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ displayName, ...change }: SettingsChange) =>
      bodyOf(
        ask<ProjectSettings>("PATCH", `${project.path}/settings`, {
          body: {
            ...change,
            ...(displayName === undefined ? {} : { displayName: tidyName(displayName) }),
          },
        }),
      ),
    onSuccess: (changed) => {
      queries.setQueryData(settingsQuery(project).queryKey, changed);
      return queries.invalidateQueries({ queryKey: installationQuery(project).queryKey });
    },
  });
}
