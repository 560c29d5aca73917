/** Figures of the audience, as triggers keep them (migrations/0006-audience-figures.ts). */
import { browserSchema, systemSchema } from "@sineta/protocol";
import { sql } from "kysely";
import type { AudienceDay, AudienceNow, AudienceReturns } from "../port.ts";
import type { Connection } from "./connection.ts";

export async function audienceNow(connection: Connection, projectId: number): Promise<AudienceNow> {
  const rows = await connection
    .selectFrom("audience_live")
    .select(["kind", "value", "live"])
    .where("project_id", "=", projectId)
    .orderBy("live", "desc")
    .orderBy("value")
    .execute();
  const of = (kind: (typeof rows)[number]["kind"]) => rows.filter((row) => row.kind === kind);
  const byPushOrigin = new Map(of("push-origin").map(({ value, live }) => [value, live]));
  return {
    // Every live one has a push origin.
    live: [...byPushOrigin.values()].reduce((sum, live) => sum + live, 0),
    byPushOrigin,
    byBrowser: new Map(
      of("browser").map(({ value, live }) => [browserSchema.parse(value), live] as const),
    ),
    bySystem: new Map(
      of("system").map(({ value, live }) => [systemSchema.parse(value), live] as const),
    ),
    byLanguage: new Map(of("language").map(({ value, live }) => [value, live])),
  };
}

export async function audienceDays(
  connection: Connection,
  projectId: number,
  from: number,
  to: number,
): Promise<AudienceDay[]> {
  const { live: before } = await liveBefore(connection, projectId, from).executeTakeFirstOrThrow();
  const rows = await connection
    .selectFrom("audience_days")
    .select(["day", "registered", "returned", "renewed", "left", "gone", "removed"])
    .where("project_id", "=", projectId)
    .where("day", ">=", from)
    .where("day", "<=", to)
    .orderBy("day")
    .execute();
  let live = before;
  const days = rows.map((row) => {
    live += row.registered + row.returned - row.left - row.gone - row.removed;
    return Object.assign(row, { live });
  });
  const nothing = { registered: 0, returned: 0, renewed: 0, left: 0, gone: 0, removed: 0 };
  return before === 0 ? days : [{ day: from - 1, ...nothing, live: before }, ...days];
}

/** Counts, by cause, the losses of these days. Counts only registrations that have come back. */
export async function audienceReturns(
  connection: Connection,
  projectId: number,
  from: number,
  to: number,
): Promise<AudienceReturns[]> {
  const rows = await connection
    .selectFrom("audience_returns")
    .select((row) => ["cause", "was_gone", row.fn.sum<number>("returns").as("returns")])
    .where("project_id", "=", projectId)
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(["cause", "was_gone"])
    .orderBy("cause")
    .orderBy("was_gone")
    .execute();
  return rows.map(({ cause, was_gone, returns }) => ({ cause, wasGone: was_gone === 1, returns }));
}

/** How many were live when the day began. Reads a row for each day before it. */
function liveBefore(connection: Connection, projectId: number, day: number) {
  return connection
    .selectFrom("audience_days")
    .select(
      sql<number>`coalesce(sum(registered + returned - "left" - gone - removed), 0)`.as("live"),
    )
    .where("project_id", "=", projectId)
    .where("day", "<", day);
}
