/** Writes new registrations and counts them together: counted one by one, as triggers do it, counting takes as long as writing (migrations/0013). */
import { sql } from "kysely";
import type { RegistrationCandidate } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { removeOldestEnded } from "./removed-registrations.ts";
import { subscriptionColumns } from "./subscription-columns.ts";

export type NewRegistration = {
  candidate: Omit<RegistrationCandidate, "earlierToken" | "loss">;
  nowMs: number;
  /** Whether the push service has accepted a push for its endpoint, under an earlier registration. Default: 0. */
  accepted?: 0 | 1;
};

/** To be called in a transaction. @returns its id */
export async function insertNew(
  transaction: Connection,
  registration: NewRegistration,
): Promise<number> {
  const row = await insertRow(transaction, registration);
  await countAll(transaction, [row]);
  return row.id;
}

/** To be called in a transaction. */
export async function insertAllNew(
  transaction: Connection,
  registrations: Iterable<NewRegistration>,
): Promise<void> {
  const rows: Inserted[] = [];
  for (const each of registrations) rows.push(await insertRow(transaction, each));
  if (rows.length > 0) await countAll(transaction, rows);
}

async function insertRow(
  transaction: Connection,
  { candidate, nowMs, accepted = 0 }: NewRegistration,
): Promise<Inserted> {
  const { rows } = await insert(transaction, { ...candidate, nowMs, accepted });
  const [row] = rows;
  if (row === undefined) throw new Error("an insert returns its row");
  return row;
}

/** What is counted of one, as the row has it, and by which keys. */
type Inserted = {
  id: number;
  project: number;
  day: number;
  pushOrigin: string;
  vapidKey: number;
  origin: string;
  browser: string;
  system: string;
  language: string;
};

const insert = compileOnce(
  (connection, candidate: NewRegistration["candidate"] & { nowMs: number; accepted: 0 | 1 }) =>
    connection
      .insertInto("registrations")
      .values({
        project_id: candidate.projectId,
        token: candidate.newToken,
        client_secret_hash: candidate.clientSecretHash,
        ...subscriptionColumns(candidate, candidate.nowMs, candidate.accepted),
        created_at_ms: candidate.nowMs,
        counted: 1,
      })
      .returning([
        "id",
        "project_id as project",
        sql<number>`created_at_ms / 86400000`.as("day"),
        "push_origin as pushOrigin",
        "vapid_key_id as vapidKey",
        "origin",
        "browser",
        "system",
        "language",
      ]),
);

/** What the triggers of migrations 0004, 0006 and 0007 did for each. */
async function countAll(transaction: Connection, inserted: readonly Inserted[]): Promise<void> {
  for (const [projectId, { length }] of Map.groupBy(inserted, ({ project }) => project)) {
    const { rows } = await addToProject(transaction, { projectId, count: length });
    const surplus = rows[0]?.surplus ?? 0;
    // Two for each that came: where an owner has lowered the quota, no visitor waits for a long transaction.
    if (surplus > 0) await removeOldestEnded(transaction, projectId, Math.min(surplus, 2 * length));
  }
  const live = inserted.flatMap(({ project, pushOrigin, browser, system, language }) => [
    [project, "push-origin", pushOrigin],
    [project, "browser", browser],
    [project, "system", system],
    [project, "language", language],
  ]);
  await addToAudience(transaction, { counts: timesOf(live) });
  const days = inserted.map(({ project, day }) => [project, day]);
  await addToDays(transaction, { counts: timesOf(days) });
  const groups = inserted.map(({ project, pushOrigin, vapidKey, origin }) => [
    project,
    pushOrigin,
    vapidKey,
    origin,
  ]);
  await addToGroups(transaction, { counts: timesOf(groups) });
}

/** How often each is there, as a list of pairs in JSON. */
function timesOf(keys: readonly (readonly (string | number)[])[]): string {
  const times = new Map<string, number>();
  for (const key of keys) {
    const text = JSON.stringify(key);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return `[${[...times].map(([key, count]) => `[${key},${count}]`).join()}]`;
}

const addToProject = compileOnce(
  (connection, { projectId, count }: { projectId: number; count: number }) =>
    connection
      .updateTable("projects")
      .set((row) => ({ live_registrations: row("live_registrations", "+", count) }))
      .where("id", "=", projectId)
      // A project keeps as many ended registrations as it may have live ones.
      .returning((row) =>
        row("ended_registrations", "-", row.ref("registrations_quota")).as("surplus"),
      ),
);

type Counts = { counts: string };

const addToAudience = compileOnce(
  (_, { counts }: Counts) => sql`
    insert into audience_live (project_id, kind, value, live)
    select value ->> '$[0][0]', value ->> '$[0][1]', value ->> '$[0][2]', value ->> 1 from json_each(${counts})
    where true on conflict do update set live = live + excluded.live`,
);

const addToDays = compileOnce(
  (_, { counts }: Counts) => sql`
    insert into audience_days (project_id, day, registered)
    select value ->> '$[0][0]', value ->> '$[0][1]', value ->> 1 from json_each(${counts})
    where true on conflict do update set registered = registered + excluded.registered`,
);

const addToGroups = compileOnce(
  (_, { counts }: Counts) => sql`
    insert into live_groups (project_id, push_origin, vapid_key_id, origin, registrations)
    select value ->> '$[0][0]', value ->> '$[0][1]', value ->> '$[0][2]', value ->> '$[0][3]', value ->> 1
    from json_each(${counts})
    where true on conflict do update set registrations = registrations + excluded.registrations`,
);
