import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from "kysely";
import {
  parseCondition,
  keptTargetSchema,
  type Condition,
  type ParsedCondition,
} from "@sineta/protocol";
import type { Message, Recipient } from "../port.ts";
import type { Connection } from "./connection.ts";
import type { Tables } from "./tables.ts";

/** Whose registrations are meant. */
export type Addressed = Pick<Message, "projectId" | "target">;

/** Whose registrations a message is for; null if nobody can read it: it is cancelled when its turn comes. */
export async function addressed(connection: Connection, id: string): Promise<Addressed | null> {
  const { project_id: projectId, target } = await connection
    .selectFrom("messages")
    .select(["project_id", "target"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const parsed = keptTargetSchema.safeParse(JSON.parse(target));
  return parsed.success ? { projectId, target: parsed.data } : null;
}

/**
 * Which registrations of an audience are meant. Their id stands in another column for each kind of target; conditions
 * on columns of `registrations` may be added.
 */
export type Part = (id: Expression<number>) => Expression<SqlBool>;

/** After this one, up to and with that one. */
export function between(afterId: number, lastId: number): Part {
  return (id) => sql<boolean>`(${id} > ${afterId} and ${id} <= ${lastId})`;
}

export function oneOf(ids: readonly number[]): Part {
  return (id) => sql<boolean>`${id} in (select value from json_each(${JSON.stringify(ids)}))`;
}

/**
 * The live registrations that a message is for, by ascending id. None of these queries reads a whole table: a
 * condition looks at every live registration of the part, everything else at those of the audience alone
 * (audience.test.ts).
 */
export function audience(connection: Connection, to: Addressed, part: Part, limit: number) {
  return members(connection, to, part)
    .select(recipientColumns)
    .$narrowType<Whole>()
    .orderBy(idOf(to))
    .limit(limit);
}

/** The same registrations, counted by push origin and key. */
export function audienceGroups(connection: Connection, to: Addressed, part: Part) {
  return members(connection, to, part)
    .select((row) => [
      "registrations.push_service as pushService",
      "registrations.push_origin as pushOrigin",
      "registrations.vapid_key_id as vapidKeyId",
      row.fn.countAll<number>().as("count"),
    ])
    .groupBy([
      "registrations.push_service",
      "registrations.push_origin",
      "registrations.vapid_key_id",
    ]);
}

/**
 * The registration at which a part of an audience ends, if `keys` of them are looked at between `afterId` and
 * `lastId`; no row if there are fewer. For a condition those count that it does not hold for, too.
 */
export function endOfPart(
  connection: Connection,
  to: Addressed,
  { afterId, lastId, keys }: { afterId: number; lastId: number; keys: number },
) {
  const walked: Addressed =
    to.target.kind === "condition" ? { ...to, target: { kind: "all" } } : to;
  return members(connection, walked, between(afterId, lastId))
    .select("registrations.id")
    .orderBy(idOf(walked))
    .limit(1)
    .offset(keys - 1);
}

/** Who is in the audience, without an order. */
function members(connection: Connection, to: Addressed, part: Part) {
  const { projectId, target } = to;
  // The plus keeps SQLite from the indexes of live registrations, where another one finds fewer.
  const liveOfFew = sql<boolean>`+registrations.ended_at_ms is null`;
  if (target.kind === "topic") {
    // A cross join keeps SQLite to this order: a small topic of a large project is not searched for in all of it.
    return from(connection, sql`registration_topics cross join registrations`)
      .where(sql<boolean>`registrations.id = registration_topics.registration_id`)
      .where(sql<boolean>`registration_topics.topic_id = ${topicId(projectId, target.topic)}`)
      .where(part(idOf(to)))
      .where(live);
  }
  const ofProject = from(connection, sql`registrations`).where(
    "registrations.project_id",
    "=",
    projectId,
  );
  const inPart = ofProject.where(part(idOf(to)));
  switch (target.kind) {
    case "all":
      return inPart.where(live);
    case "token":
      return inPart.where("registrations.token", "=", target.token).where(live);
    case "tokens":
      return ofProject
        .where(
          sql<boolean>`registrations.token in (select value from json_each(${JSON.stringify(target.tokens)}))`,
        )
        .where(part(sql`+registrations.id`))
        .where(liveOfFew);
    case "user":
      return inPart.where("registrations.user_id", "=", target.userId).where(liveOfFew);
    case "condition": {
      const parsed = parseCondition(target.condition);
      // Nobody, if it cannot be read: publishing refuses those, so another version has written it.
      return inPart.where(live).where(parsed.ok ? holds(projectId, parsed) : sql<boolean>`false`);
    }
    default:
      return target satisfies never;
  }
}

function live(row: ExpressionBuilder<Tables, "registrations">) {
  return row("registrations.ended_at_ms", "is", null);
}

/** One type for all of them: what is joined stands before `registrations`, and no column of it is selected. */
function from(connection: Connection, tables: RawBuilder<unknown>) {
  return connection.selectFrom(tables.$castTo<Tables["registrations"]>().as("registrations"));
}

function idOf({ target }: Addressed): RawBuilder<number> {
  return target.kind === "topic" ? sql`registration_topics.registration_id` : sql`registrations.id`;
}

/** The topic's id; null if the project has none of this name, and then nobody is in it. */
function topicId(projectId: number, name: string): RawBuilder<number | null> {
  return sql`(select topics.id from topics where topics.project_id = ${projectId} and topics.name = ${name})`;
}

type Read = Extract<ParsedCondition, { ok: true }>;

/**
 * Whether a condition holds for the registration of the row. Each topic is looked up once, however often it is named: the limit
 * keeps SQLite from writing the lookup wherever its result is used (SQLite documentation, "Subquery Flattening").
 */
function holds(projectId: number, { condition, topics }: Read): RawBuilder<boolean> {
  const lookups = topics.map(
    (topic, index) => sql`${isIn(projectId, topic)} as ${sql.ref(`topic${index}`)}`,
  );
  const found = (topic: string) => sql.ref<boolean>(`held.topic${topics.indexOf(topic)}`);
  return sql`(select ${judged(condition, found)} from (select ${sql.join(lookups)} limit 1) as held)`;
}

/** Names are bound, so that none of them is read as SQL. */
function isIn(projectId: number, topic: string): RawBuilder<boolean> {
  return sql`exists (select 1 from registration_topics
    where registration_topics.topic_id = ${topicId(projectId, topic)}
      and registration_topics.registration_id = registrations.id)`;
}

function judged(
  condition: Condition,
  found: (topic: string) => Expression<boolean>,
): RawBuilder<boolean> {
  switch (condition.kind) {
    case "topic":
      return sql`${found(condition.topic)}`;
    case "not":
      return sql`not ${judged(condition.of, found)}`;
    case "and":
    case "or": {
      const parts = condition.of.map((each) => judged(each, found));
      return sql`(${sql.join(parts, condition.kind === "and" ? sql` and ` : sql` or `)})`;
    }
    default:
      return condition satisfies never;
  }
}

/** The schema's checks make the subscription of a live registration whole. */
type Whole = Pick<Recipient, "endpoint" | "p256dh" | "auth">;

const recipientColumns = [
  "registrations.id as registrationId",
  "registrations.token",
  "registrations.generation",
  "registrations.endpoint",
  "registrations.p256dh",
  "registrations.auth",
  "registrations.vapid_key_id as vapidKeyId",
  "registrations.push_origin as pushOrigin",
  "registrations.origin",
  "registrations.refused_at_ms as refusedAtMs",
] as const;
