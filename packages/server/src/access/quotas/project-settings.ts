import type { ProjectSettings, SettingsChange } from "@sineta/protocol";
import type { Asker, Project, ProjectStore } from "../../store/port.ts";

export type ProjectSettingsAccess = {
  read(project: Pick<Project, "id">): Promise<ProjectSettings>;
  /** Origins of pages with how many live registrations were made on them; those with none are left out. */
  liveByPageOrigin(project: Pick<Project, "id">): Promise<[origin: string, live: number][]>;
  /** Changes what is given and leaves a line in the audit; both at once, and neither if it is so already. */
  change(project: Project, change: SettingsChange, asker: Asker): Promise<ProjectSettings>;
};

/** What an owner can set for a project: quotas, the origins of its pages, and whether browsers report. */
export function createProjectSettings(parts: {
  store: Pick<ProjectStore, "settings" | "changeSettings" | "liveByPageOrigin">;
  now: () => number;
}): ProjectSettingsAccess {
  const { store, now } = parts;
  return {
    read: ({ id }) => store.settings(id),
    liveByPageOrigin: async ({ id }) =>
      (await store.liveByPageOrigin(id)).map(({ origin, registrations }) => [
        origin,
        registrations,
      ]),
    change: ({ id, name }, change, asker) =>
      store.changeSettings(
        id,
        change,
        { ...asker, action: "settings.changed", subject: name },
        now(),
      ),
  };
}
