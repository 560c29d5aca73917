import { sql } from "kysely";
import type { MembershipResult, RegistrationStore, SeenRegistration } from "../port.ts";
import { audienceGroups, between, endOfPart } from "./audience.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { gatherReads } from "./gathered-reads.ts";
import { gatherWrites } from "./gathered-writes.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { applyMembership, decideMembership, valuesOf } from "./memberships.ts";
import { findByToken, known, registerAll } from "./register.ts";
import { ownTables, removeIfNeverSentTo } from "./removed-registrations.ts";

/** What every ended registration loses: nobody can be reached with what is left. */
export const scrubbed = { endpoint: null, endpoint_hash: null, p256dh: null, auth: null } as const;

export function registrationStore(
  connection: Connection,
  grouped: GroupedWrite,
  reading: Connection,
): RegistrationStore {
  const registering = gatherWrites(grouped, registerAll);
  const see = gatherReads<Named, SeenRegistration | null>((named) => seeAll(connection, named));
  const seeing = gatherWrites(grouped, keepSeen);
  /** In the order in which they come: a browser that left and is back is registered after it has left. */
  const inOrder: GroupedWrite = (write) => {
    registering.closeList();
    return grouped(write);
  };
  return {
    register: (candidate, decide, nowMs, membership) =>
      registering.write({ candidate, decide, nowMs, membership }),

    changeMembership: (id, membership, nowMs) =>
      inOrder<MembershipResult>(async (transaction) => {
        const registration = await transaction
          .selectFrom("registrations")
          .select(["project_id", "end_reason"])
          .where("id", "=", id)
          .executeTakeFirst();
        if (registration === undefined || registration.end_reason === "left") {
          return { kind: "left" };
        }
        const belongs = await decideMembership(
          transaction,
          registration.project_id,
          id,
          membership,
        );
        if (belongs.kind === "refuse") return { kind: "refused", code: belongs.code };
        await applyMembership(transaction, id, belongs, nowMs);
        return { kind: "changed" };
      }),

    find: async (projectId, token) => known(await findByToken(connection, projectId, token)),

    see: async (projectId, token) => (await see([projectId, token])) ?? null,

    async noteSeen(id, sinceMs, nowMs) {
      await seeing.write({ id, sinceMs, nowMs });
    },

    async unreachable(projectId, tokens) {
      const live = await liveAmong(connection, projectId, tokens).execute();
      const found = new Set(live.map(({ token }) => token));
      return [...new Set(tokens)].filter((token) => !found.has(token));
    },

    leave: (id, nowMs) =>
      inOrder(async (transaction) => {
        const left = await endAsLeft(transaction, id, { byOperator: false }, nowMs);
        if (left) await removeIfNeverSentTo(transaction, id);
        return left;
      }),

    forget: (id, newToken, nowMs) =>
      inOrder(async (transaction) => {
        await transaction
          .updateTable("registrations")
          .set((row) => ({
            ...scrubbed,
            token: newToken,
            client_secret_hash: null,
            origin: "",
            browser: "unknown" as const,
            system: "unknown" as const,
            locale: null,
            time_zone: null,
            user_id: null,
            ended_at_ms: row.fn.coalesce("ended_at_ms", row.val(nowMs)),
            end_reason: "left" as const,
            passed_messages: null,
          }))
          .where("id", "=", id)
          .execute();
        for (const table of ownTables) {
          await transaction.deleteFrom(table).where("registration_id", "=", id).execute();
        }
        await transaction
          .updateTable("message_exceptions")
          .set({ detail: "" })
          .where("registration_id", "=", id)
          .execute();
        await removeIfNeverSentTo(transaction, id);
      }),

    async longestOrigin(projectId) {
      const row = await connection
        .selectFrom("live_groups")
        .select("origin")
        .where("project_id", "=", projectId)
        .orderBy((origin) => origin.fn("length", ["origin"]), "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.origin ?? null;
    },

    async countLive(projectId) {
      const { count } = await reading
        .selectFrom("registrations")
        .select((row) => row.fn.countAll<number>().as("count"))
        .where("project_id", "=", projectId)
        .where("ended_at_ms", "is", null)
        .executeTakeFirstOrThrow();
      return count;
    },

    countByOrigin: (projectId) => liveByOrigin(connection, projectId).execute(),

    liveGroups: (projectId) =>
      reading
        .selectFrom("live_groups")
        .select((row) => [
          "push_origin as pushOrigin",
          "vapid_key_id as vapidKeyId",
          row.fn.sum<number>("registrations").as("count"),
        ])
        .where("project_id", "=", projectId)
        .groupBy(["push_origin", "vapid_key_id"])
        .execute(),

    async countAudience(projectId, target, afterId, keys) {
      const to = { projectId, target };
      const range = { afterId, lastId: Number.MAX_SAFE_INTEGER };
      const end = await endOfPart(reading, to, { ...range, keys }).executeTakeFirst();
      const part = between(afterId, end?.id ?? range.lastId);
      const counted = await audienceGroups(reading, to, part).execute();
      const groups = counted.map(({ pushOrigin, vapidKeyId, count }) => ({
        pushOrigin,
        vapidKeyId,
        count,
      }));
      return { groups, next: end?.id ?? null };
    },
  };
}

type Named = readonly [projectId: number, token: string];

async function seeAll(
  connection: Connection,
  named: readonly Named[],
): Promise<(SeenRegistration | null)[]> {
  const { rows } = await withTokens(connection, { named: JSON.stringify(named) });
  const seen = named.map((): SeenRegistration | null => null);
  for (const { place, ...each } of rows) seen[place] = each;
  return seen;
}

const withTokens = compileOnce(
  (_, { named }: { named: string }) => sql<SeenRegistration & { place: number }>`
    select named.key as place, registrations.id, client_secret_hash as "clientSecretHash", vapid_key_id as "vapidKeyId",
      endpoint_hash as "endpointHash", refreshed_at_ms as "seenAtMs"
    from json_each(${named}) as named
      cross join registrations on token = named.value ->> 1 and project_id = named.value ->> 0`,
);

type Seen = { id: number; sinceMs: number; nowMs: number };

/** To be called in a transaction. @returns each */
async function keepSeen(transaction: Connection, seen: readonly Seen[]): Promise<readonly Seen[]> {
  // Two tabs may look at once. Of two times for one registration SQLite would take any.
  const last = new Map(seen.map(({ id, sinceMs, nowMs }) => [id, [id, sinceMs, nowMs]]));
  const list = JSON.stringify([...last.values()]);
  await setSeen(transaction, { list });
  return seen;
}

const setSeen = compileOnce(
  (_, { list }: { list: string }) => sql`
    update registrations set refreshed_at_ms = seen.value ->> 2 from json_each(${list}) as seen
    where registrations.id = seen.value ->> 0 and ended_at_ms is null
      and refreshed_at_ms not between seen.value ->> 1 and seen.value ->> 2`,
);

/** To be called in a transaction. Ends one that is gone, too. Only if it has not left before. */
export async function endAsLeft(
  transaction: Connection,
  id: number,
  { byOperator }: { byOperator: boolean },
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("registrations")
    .set({
      ...scrubbed,
      client_secret_hash: null,
      user_id: null,
      ended_at_ms: nowMs,
      end_reason: "left",
      passed_messages: null,
      removed: byOperator ? 1 : 0,
    })
    .where("id", "=", id)
    .where((row) => row.or([row("end_reason", "is", null), row("end_reason", "=", "gone")]))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  for (const table of ["registration_topics", "gone_endpoints"] as const) {
    await transaction.deleteFrom(table).where("registration_id", "=", id).execute();
  }
  return true;
}

export function liveByOrigin(connection: Connection, projectId: number) {
  return connection
    .selectFrom("live_groups")
    .select((row) => ["push_origin as pushOrigin", row.fn.sum<number>("registrations").as("count")])
    .where("project_id", "=", projectId)
    .groupBy("push_origin")
    .orderBy("push_origin");
}

/** Live registrations by the origin of the pages that they were made on, from counts that are kept. */
export function liveOn(connection: Connection, projectId: number) {
  return connection
    .selectFrom("live_groups")
    .select((row) => ["origin", row.fn.sum<number>("registrations").as("registrations")])
    .where("project_id", "=", projectId)
    .groupBy("origin")
    .orderBy("origin");
}

function liveAmong(connection: Connection, projectId: number, tokens: readonly string[]) {
  return connection
    .selectFrom("registrations")
    .select("token")
    .where("token", "in", valuesOf<string>(tokens))
    .where("project_id", "=", projectId)
    .where("ended_at_ms", "is", null);
}
