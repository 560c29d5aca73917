import { sql, type Expression, type SqlBool } from "kysely";
import type { Message, Recipient } from "../port.ts";
import type { Connection } from "./connection.ts";

/** Which registrations of an audience are meant. Their id stands in another column for each kind of target. */
export type Part = (id: Expression<number>) => Expression<SqlBool>;

/** After this one, up to and with that one. */
export function between(afterId: number, lastId: number): Part {
  return (id) => sql<boolean>`(${id} > ${afterId} and ${id} <= ${lastId})`;
}

export function oneOf(ids: readonly number[]): Part {
  return (id) => sql<boolean>`${id} in (select value from json_each(${JSON.stringify(ids)}))`;
}

/**
 * The live registrations that a message is for, by ascending id. None of these queries reads what it does not give,
 * or a whole table (audience.test.ts).
 */
export function audience(
  connection: Connection,
  { projectId, target }: Pick<Message, "projectId" | "target">,
  part: Part,
  limit: number,
) {
  if (target.kind === "topic") {
    const id = sql.ref<number>("registration_topics.registration_id");
    return (
      connection
        .selectFrom("registration_topics")
        // A cross join keeps SQLite to this order: a small topic of a large project is not searched for in all of it.
        .crossJoin("registrations")
        .select(recipientColumns)
        .whereRef("registrations.id", "=", "registration_topics.registration_id")
        .where("registration_topics.topic_id", "=", (topic) =>
          topic
            .selectFrom("topics")
            .select("topics.id")
            .where("topics.project_id", "=", projectId)
            .where("topics.name", "=", target.topic),
        )
        .where(part(id))
        .where("registrations.ended_at_ms", "is", null)
        .$narrowType<Whole>()
        .orderBy(id)
        .limit(limit)
    );
  }
  const registrations = connection
    .selectFrom("registrations")
    .select(recipientColumns)
    .where("registrations.project_id", "=", projectId)
    .where(part(sql.ref<number>("registrations.id")))
    .$narrowType<Whole>()
    .orderBy("registrations.id")
    .limit(limit);
  const live = registrations.where("registrations.ended_at_ms", "is", null);
  switch (target.kind) {
    case "all":
      return live;
    case "token":
      return live.where("registrations.token", "=", target.token);
    case "user":
      return (
        registrations
          .where("registrations.user_id", "=", target.userId)
          // The plus keeps SQLite from the index of all live registrations, which it takes for the better one.
          .where(sql`+registrations.ended_at_ms`, "is", null)
      );
    default:
      return target satisfies never;
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
] as const;
