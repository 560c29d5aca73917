/** The audience as a table to take away. A page is read when it is wanted: a million registrations never lie in memory at once. */
import { csvTable, momentColumn, type Column } from "../exports/csv-table.ts";
import type { CsvStyle, Wording } from "../exports/wording.ts";
import type { AudienceStore, DetailedRegistration, RegistrationFilter } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";

/** A page of so many is read, and written, in some ten milliseconds. */
const rowsInPiece = 1_000;

/**
 * One line for each registration that passes the filter, newest first. A registration that comes meanwhile is not in it. Never an
 * endpoint or a key.
 * @param withTokens whether each line has the registration's token
 */
export function registrationsAsCsv(
  audience: Pick<AudienceStore, "listDetailed">,
  projectId: number,
  filter: RegistrationFilter,
  { withTokens, ...style }: CsvStyle & { withTokens: boolean },
): AsyncGenerator<string> {
  const columns = withTokens ? [tokenColumn, ...registrationColumns] : registrationColumns;
  return csvTable(columns, pagesOf(audience, projectId, filter), style);
}

async function* pagesOf(
  audience: Pick<AudienceStore, "listDetailed">,
  projectId: number,
  filter: RegistrationFilter,
): AsyncGenerator<DetailedRegistration[]> {
  let beforeId: number | null | undefined;
  while (beforeId !== null) {
    const page = { limit: rowsInPiece, keys: rowsInPiece, beforeId };
    const { registrations, next } = await audience.listDetailed(projectId, filter, page);
    yield registrations;
    beforeId = next;
  }
}

/** Technical names have no spaces. Display names may have spaces and commas. */
function topicsOf({ topics }: DetailedRegistration, { hasWords }: Wording): string {
  if (!hasWords) return topics.map(({ name }) => name).join(" ");
  const names = topics.map(({ displayName }) => displayName);
  return names.toSorted((one, other) => one.localeCompare(other)).join(" | ");
}

const tokenColumn: Column<DetailedRegistration> = { name: "token", cell: ({ token }) => token };

const registrationColumns: readonly Column<DetailedRegistration>[] = [
  momentColumn("registered_at", ({ createdAtMs }) => createdAtMs),
  { name: "state", cell: ({ state }, { word }) => word("registrationStates", state) },
  { name: "origin", cell: ({ origin }) => origin },
  { name: "browser", cell: ({ browser }, { word }) => word("browsers", browser) },
  { name: "system", cell: ({ system }, { word }) => word("systems", system) },
  { name: "language", cell: ({ language }, { languageName }) => languageName(language) },
  { name: "time_zone", cell: ({ timeZone }) => timeZone ?? "" },
  {
    name: "push_service",
    cell: ({ pushOrigin }, { word }) => word("pushServices", pushServiceOf(pushOrigin)),
  },
  { name: "user", cell: ({ userId }) => userId ?? "" },
  { name: "topics", cell: topicsOf },
  momentColumn("confirmed_at", ({ refreshedAtMs }) => refreshedAtMs),
  momentColumn("ended_at", ({ endedAtMs }) => endedAtMs),
];
