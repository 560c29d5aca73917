/** Registrations as operators look them up. Nothing of it reads an endpoint or a key. */
import { sql, type RawBuilder, type Selectable, type SqlBool } from "kysely";
import type {
  AudienceStore,
  DetailedRegistration,
  ListedRegistration,
  RegistrationFilter,
  RegistrationPage,
} from "../port.ts";
import type { Connection } from "./connection.ts";
import { valuesOf } from "./memberships.ts";
import { readName } from "./topics.ts";
import type { Tables } from "./tables.ts";

type Page = { beforeId: number; limit: number };

/**
 * Which registrations of a project are walked, newest first: those of a topic, of a user or with a token, or all. `id`
 * is where their ids stand in the index that is walked.
 */
type Walk = { tables: RawBuilder<unknown>; where: RawBuilder<SqlBool>; id: RawBuilder<number> };

function walkOf(projectId: number, { token, userId, topicId }: RegistrationFilter): Walk {
  const registrations = sql`registrations`;
  const id = sql<number>`registrations.id`;
  if (token !== undefined) {
    const where = sql<SqlBool>`registrations.token = ${token} and registrations.project_id = ${projectId}`;
    // The plus keeps SQLite from walking by id.
    return { tables: registrations, where, id: sql`+registrations.id` };
  }
  if (userId !== undefined) {
    const where = sql<SqlBool>`registrations.project_id = ${projectId} and registrations.user_id = ${userId}`;
    return { tables: registrations, where, id };
  }
  if (topicId !== undefined) {
    return {
      // A cross join keeps SQLite to this order.
      tables: sql`registration_topics cross join registrations`,
      where: sql`registration_topics.topic_id = ${topicId}
        and registrations.id = registration_topics.registration_id
        and registrations.project_id = ${projectId}`,
      id: sql`registration_topics.registration_id`,
    };
  }
  return {
    tables: sql`registrations indexed by registrations_listed`,
    // As the index has it.
    where: sql`registrations.project_id + 0 = ${projectId}`,
    id,
  };
}

/** The registration at which the walk ends that looks at `keys` of them; no row if there are fewer. */
export function endOfWalk(
  projectId: number,
  { topicId, userId, token }: RegistrationFilter,
  { beforeId, keys }: { beforeId: number; keys: number },
): RawBuilder<{ id: number }> {
  // Who is in a topic is counted without a look at them.
  if (topicId !== undefined && userId === undefined && token === undefined) {
    return sql`select registration_id as id from registration_topics
      where topic_id = ${topicId} and registration_id < ${beforeId}
      order by registration_id desc limit 1 offset ${keys - 1}`;
  }
  const { tables, where, id } = walkOf(projectId, { topicId, userId, token });
  return sql`select registrations.id as id from ${tables}
    where ${where} and ${id} < ${beforeId} order by ${id} desc limit 1 offset ${keys - 1}`;
}

/** Ids of the registrations that the filter holds for, between `from` and `beforeId`. */
export function idsOnPage(
  projectId: number,
  filter: RegistrationFilter,
  { from, beforeId, limit }: Page & { from: number },
): RawBuilder<{ id: number }> {
  const { tables, where, id } = walkOf(projectId, filter);
  return sql`select registrations.id as id from ${tables}
    where ${where} and ${id} < ${beforeId} and ${id} >= ${from} and ${holds(filter)}
    order by ${id} desc limit ${limit}`;
}

function holds(filter: RegistrationFilter): RawBuilder<SqlBool> {
  const { state, browser, system, language, pushHosts, topicId, userId, token } = filter;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (state !== undefined) conditions.push(isInState(state));
  if (browser !== undefined) conditions.push(sql`registrations.browser = ${browser}`);
  if (system !== undefined) conditions.push(sql`registrations.system = ${system}`);
  if (language !== undefined) conditions.push(isInLanguage(language));
  if (pushHosts !== undefined) conditions.push(isAt(pushHosts));
  if (userId !== undefined && token !== undefined) {
    conditions.push(sql`registrations.user_id = ${userId}`);
  }
  if (topicId !== undefined && (userId !== undefined || token !== undefined)) {
    conditions.push(sql`exists (select 1 from registration_topics
      where registration_topics.topic_id = ${topicId}
        and registration_topics.registration_id = registrations.id)`);
  }
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function isInState(state: NonNullable<RegistrationFilter["state"]>): RawBuilder<SqlBool> {
  switch (state) {
    case "live":
      return sql`registrations.end_reason is null`;
    case "gone":
      return sql`registrations.end_reason = 'gone'`;
    case "left":
      return sql`(registrations.end_reason = 'left' and registrations.removed = 0)`;
    case "removed":
      return sql`(registrations.end_reason = 'left' and registrations.removed = 1)`;
    default:
      return state satisfies never;
  }
}

/**
 * As the column `language` says it, of the locale: the index has that, and no column that is generated. `other` is what
 * the pattern of languages does not take.
 */
function isInLanguage(language: string): RawBuilder<SqlBool> {
  const locale = sql`lower(registrations.locale)`;
  if (language === "unknown") return sql`registrations.locale is null`;
  if (language === "other") {
    return sql`(registrations.locale is not null
      and ${locale} not glob '[a-z][a-z]' and ${locale} not glob '[a-z][a-z][-_]*'
      and ${locale} not glob '[a-z][a-z][a-z]' and ${locale} not glob '[a-z][a-z][a-z][-_]*')`;
  }
  return sql`(${locale} = ${language} or ${locale} glob ${`${language}[-_]*`})`;
}

/** Hosts hold nothing that a pattern would read otherwise. */
function isAt({ hosts, none }: NonNullable<RegistrationFilter["pushHosts"]>): RawBuilder<SqlBool> {
  const patterns = hosts.flatMap((host) => {
    const origin = host.startsWith(".") ? `https://*${host}` : `https://${host}`;
    return [origin, `${origin}:*`];
  });
  const matches = sql.join(
    patterns.map((pattern) => sql`registrations.push_origin glob ${pattern}`),
    sql` or `,
  );
  return none ? sql`not (${matches})` : sql`(${matches})`;
}

export const listRegistrations =
  (connection: Connection): AudienceStore["list"] =>
  async (projectId, filter, options) => {
    const { ids, next } = await pageOfIds(connection, projectId, filter, options);
    const rows = await rowsOf(connection, ids).select(listedColumns).execute();
    return { registrations: rows.map(listed), next };
  };

export const listDetailed =
  (connection: Connection): AudienceStore["listDetailed"] =>
  async (projectId, filter, options) => {
    const { ids, next } = await pageOfIds(connection, projectId, filter, options);
    const rows = await rowsOf(connection, ids)
      .select([...listedColumns, "time_zone"])
      .execute();
    const topics = new Map<number, DetailedRegistration["topics"]>(ids.map((id) => [id, []]));
    for (const { id, ...topic } of await topicsOf(connection, ids).execute()) {
      topics.get(id)?.push(topic);
    }
    const registrations = rows.map((row) =>
      Object.assign(listed(row), { timeZone: row.time_zone, topics: topics.get(row.id) ?? [] }),
    );
    return { registrations, next };
  };

/** Ids of a page, newest first, and below which id to go on. */
async function pageOfIds(
  connection: Connection,
  projectId: number,
  filter: RegistrationFilter,
  { limit, keys, beforeId = Number.MAX_SAFE_INTEGER }: RegistrationPage,
): Promise<{ ids: number[]; next: number | null }> {
  const end = await endOfWalk(projectId, filter, { beforeId, keys }).execute(connection);
  const from = end.rows[0]?.id ?? null;
  const page = { from: from ?? 0, beforeId, limit };
  const { rows } = await idsOnPage(projectId, filter, page).execute(connection);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { ids: rows.map(({ id }) => id), next: last?.id ?? from };
}

function rowsOf(connection: Connection, ids: readonly number[]) {
  return connection
    .selectFrom("registrations")
    .where("id", "in", valuesOf<number>(ids))
    .orderBy("id", "desc");
}

/** The topics of these registrations, by name. */
function topicsOf(connection: Connection, ids: readonly number[]) {
  return connection
    .selectFrom("registration_topics")
    .innerJoin("topics", "topics.id", "registration_topics.topic_id")
    .select(["registration_topics.registration_id as id", "topics.name", readName])
    .where("registration_topics.registration_id", "in", valuesOf<number>(ids))
    .orderBy("topics.name");
}

export const listedColumns = [
  "id",
  "token",
  "end_reason",
  "removed",
  "push_origin",
  "browser",
  "system",
  "language",
  "origin",
  "user_id",
  "created_at_ms",
  "refreshed_at_ms",
  "ended_at_ms",
] as const;

export function listed(
  row: Pick<Selectable<Tables["registrations"]>, (typeof listedColumns)[number]>,
): ListedRegistration {
  return {
    id: row.id,
    token: row.token,
    state: row.removed === 1 ? "removed" : (row.end_reason ?? "live"),
    pushOrigin: row.push_origin,
    browser: row.browser,
    system: row.system,
    language: row.language,
    origin: row.origin,
    userId: row.user_id,
    createdAtMs: row.created_at_ms,
    refreshedAtMs: row.refreshed_at_ms,
    endedAtMs: row.ended_at_ms,
  };
}
