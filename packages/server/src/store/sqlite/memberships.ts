/** What registrations belong to: their user, in the registration's own row, and topics. */
import { sql } from "kysely";
import type { Membership, MembershipDecision, MembershipRequest } from "../port.ts";
import type { Connection } from "./connection.ts";

/** Asks `decide` with what is there. @param id of the registration; null for a new one */
export async function decideMembership(
  transaction: Connection,
  projectId: number,
  id: number | null,
  { topicNames, decide }: MembershipRequest,
): Promise<MembershipDecision> {
  const current = id === null ? nothing : await findMembership(transaction, id);
  const named =
    topicNames.length === 0
      ? []
      : await transaction
          .selectFrom("topics")
          .select(["id", "name", "policy"])
          .where("project_id", "=", projectId)
          .where("name", "in", valuesOf<string>(topicNames))
          .execute();
  return decide({ current, named });
}

const nothing: Membership = { userId: null, topics: [] };

async function findMembership(transaction: Connection, id: number): Promise<Membership> {
  const { user_id: userId } = await transaction
    .selectFrom("registrations")
    .select("user_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const topics = await transaction
    .selectFrom("registration_topics")
    .innerJoin("topics", "topics.id", "registration_topics.topic_id")
    .select(["topics.id", "topics.name", "topics.policy"])
    .where("registration_topics.registration_id", "=", id)
    .execute();
  return { userId, topics };
}

/** Does what was decided. The registration must be there. */
export async function applyMembership(
  transaction: Connection,
  id: number,
  { userId, joins, leaves }: Extract<MembershipDecision, { kind: "change" }>,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable("registrations")
    .set({ user_id: userId })
    .where("id", "=", id)
    .where("user_id", "is not", userId)
    .execute();
  if (leaves.length > 0) {
    await transaction
      .deleteFrom("registration_topics")
      .where("registration_id", "=", id)
      .where("topic_id", "in", valuesOf<number>(leaves))
      .execute();
  }
  if (joins.length > 0) {
    await transaction
      .insertInto("registration_topics")
      .values(
        joins.map((topicId) => ({ topic_id: topicId, registration_id: id, joined_at_ms: nowMs })),
      )
      .execute();
  }
}

/** One parameter for any number of values, so that one prepared statement serves them all. */
export function valuesOf<Value>(values: readonly Value[]) {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`;
}
