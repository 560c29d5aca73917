import type { AuditFilter, AuditLine, AuditStore } from "../../store/port.ts";

export type AuditReading = {
  store: Pick<AuditStore, "list">;
  /** The project that is there from the start: its owners also see what concerns the whole server. */
  serverProjectId: number;
};

/** What a project's owners may see, newest first. */
export function linesOf(
  { store, serverProjectId }: AuditReading,
  projectId: number,
  page: AuditFilter & { limit: number; beforeId?: number },
): Promise<AuditLine[]> {
  return store.list(projectId === serverProjectId ? [projectId, null] : [projectId], page);
}

const pageLines = 500;

/** All that they may see of what is meant, page by page: as much as a year leaves need not lie in memory at once. */
export async function* allLines(
  reading: AuditReading,
  projectId: number,
  filter: AuditFilter,
): AsyncGenerator<AuditLine> {
  let page = await linesOf(reading, projectId, { ...filter, limit: pageLines });
  for (;;) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageLines) return;
    page = await linesOf(reading, projectId, { ...filter, limit: pageLines, beforeId: last.id });
  }
}
