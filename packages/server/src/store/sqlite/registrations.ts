import type { Selectable } from "kysely";
import type {
  KnownRegistration,
  MembershipResult,
  RegistrationCandidate,
  RegistrationResult,
  RegistrationStore,
} from "../port.ts";
import { audienceGroups, between, endOfPart } from "./audience.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { applyMembership, decideMembership, valuesOf } from "./memberships.ts";
import { afterMove, hasMoved } from "./moved.ts";
import { hasAllRegistrations } from "./quotas.ts";
import type { Tables } from "./tables.ts";

/** What every ended registration loses: nobody can be reached with what is left. */
export const scrubbed = { endpoint: null, endpoint_hash: null, p256dh: null, auth: null } as const;

export function registrationStore(
  connection: Connection,
  grouped: GroupedWrite,
  reading: Connection,
): RegistrationStore {
  return {
    register: (candidate, decide, nowMs, membership) =>
      grouped<RegistrationResult>(async (transaction) => {
        const byEndpoint = await findByEndpoint(transaction, candidate);
        const byToken =
          candidate.earlierToken === null
            ? undefined
            : await findByToken(transaction, candidate.projectId, candidate.earlierToken);
        const decision = decide({ byEndpoint: known(byEndpoint), byToken: known(byToken) });
        if (decision.kind === "refuse") return { kind: "refused", code: "registration-refused" };
        const isLive = [byEndpoint, byToken].some(
          (row) => decision.kind !== "new" && row?.id === decision.id && row.ended_at_ms === null,
        );
        if (!isLive && (await hasAllRegistrations(transaction, candidate.projectId))) {
          return { kind: "refused", code: "quota-reached" };
        }
        // Before anything is written: what is refused changes nothing.
        const belongs =
          membership === undefined
            ? null
            : await decideMembership(
                transaction,
                candidate.projectId,
                decision.kind === "new" ? null : decision.id,
                membership,
              );
        if (belongs?.kind === "refuse") {
          return { kind: "refused", code: belongs.code, topics: belongs.topics };
        }
        if (decision.kind === "new") {
          const { insertId } = await insert(transaction, { ...candidate, nowMs });
          if (belongs !== null) {
            await applyMembership(transaction, Number(insertId), belongs, nowMs);
          }
          return { kind: "new", token: candidate.newToken };
        }
        const { id } = decision;
        const before =
          [byEndpoint, byToken].find((row) => row?.id === id) ?? (await findById(transaction, id));
        const { token, generation, ...now } = await transaction
          .updateTable("registrations")
          .set((row) =>
            decision.kind === "renew"
              ? {
                  ...subscriptionColumns(candidate, nowMs),
                  generation: row("generation", "+", 1),
                  renewed_at_ms: nowMs,
                }
              : refreshColumns(candidate, nowMs),
          )
          .where("id", "=", id)
          .returning(["token", "generation", "push_origin", "vapid_key_id", "time_zone"])
          .executeTakeFirstOrThrow();
        if (belongs !== null) await applyMembership(transaction, id, belongs, nowMs);
        if (hasMoved(before, now)) {
          const registration = { id, projectId: candidate.projectId, generation };
          await afterMove(transaction, registration, before, now, nowMs);
        }
        return { kind: decision.kind === "renew" ? "renewed" : "refreshed", token };
      }),

    changeMembership: (id, membership, nowMs) =>
      grouped<MembershipResult>(async (transaction) => {
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

    async unreachable(projectId, tokens) {
      const live = await liveAmong(connection, projectId, tokens).execute();
      const found = new Set(live.map(({ token }) => token));
      return [...new Set(tokens)].filter((token) => !found.has(token));
    },

    leave: (id, nowMs) =>
      grouped((transaction) => endAsLeft(transaction, id, { byOperator: false }, nowMs)),

    forget: (id, newToken, nowMs) =>
      grouped(async (transaction) => {
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
          }))
          .where("id", "=", id)
          .execute();
        for (const table of ["registration_topics", "receipts"] as const) {
          await transaction.deleteFrom(table).where("registration_id", "=", id).execute();
        }
        await transaction
          .updateTable("message_exceptions")
          .set({ detail: "" })
          .where("registration_id", "=", id)
          .execute();
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
      const groups = await audienceGroups(reading, to, part).execute();
      return { groups, next: end?.id ?? null };
    },
  };
}

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
      removed: byOperator ? 1 : 0,
    })
    .where("id", "=", id)
    .where((row) => row.or([row("end_reason", "is", null), row("end_reason", "=", "gone")]))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await transaction.deleteFrom("registration_topics").where("registration_id", "=", id).execute();
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

/** What may change while the subscription stays the same. */
function refreshColumns(candidate: Omit<RegistrationCandidate, "earlierToken">, nowMs: number) {
  return {
    origin: candidate.origin,
    locale: candidate.locale,
    time_zone: candidate.timeZone,
    browser: candidate.browser,
    system: candidate.system,
    refreshed_at_ms: nowMs,
  };
}

/** A subscription, alive. */
function subscriptionColumns(
  candidate: Omit<RegistrationCandidate, "earlierToken">,
  nowMs: number,
) {
  return {
    ...refreshColumns(candidate, nowMs),
    endpoint: candidate.endpoint,
    endpoint_hash: candidate.endpointHash,
    p256dh: candidate.p256dh,
    auth: candidate.auth,
    vapid_key_id: candidate.vapidKeyId,
    push_origin: candidate.pushOrigin,
    ended_at_ms: null,
    end_reason: null,
    refused_at_ms: null,
    removed: 0 as const,
  };
}

const insert = compileOnce(
  (connection, candidate: Omit<RegistrationCandidate, "earlierToken"> & { nowMs: number }) =>
    connection.insertInto("registrations").values({
      project_id: candidate.projectId,
      token: candidate.newToken,
      client_secret_hash: candidate.clientSecretHash,
      ...subscriptionColumns(candidate, candidate.nowMs),
      created_at_ms: candidate.nowMs,
    }),
);

type RegistrationRow = Selectable<Tables["registrations"]>;

async function findByEndpoint(
  connection: Connection,
  { projectId, endpointHash }: RegistrationCandidate,
): Promise<RegistrationRow | undefined> {
  const { rows } = await liveWithEndpoint(connection, { projectId, endpointHash });
  return rows[0];
}

const liveWithEndpoint = compileOnce(
  (connection, { projectId, endpointHash }: { projectId: number; endpointHash: Uint8Array }) =>
    connection
      .selectFrom("registrations")
      .selectAll()
      .where("project_id", "=", projectId)
      .where("endpoint_hash", "=", endpointHash)
      .where("ended_at_ms", "is", null),
);

async function findByToken(
  connection: Connection,
  projectId: number,
  token: string,
): Promise<RegistrationRow | undefined> {
  const { rows } = await withToken(connection, { projectId, token });
  return rows[0];
}

const withToken = compileOnce(
  (connection, { projectId, token }: { projectId: number; token: string }) =>
    connection
      .selectFrom("registrations")
      .selectAll()
      .where("token", "=", token)
      .where("project_id", "=", projectId),
);

function findById(connection: Connection, id: number): Promise<RegistrationRow> {
  return connection
    .selectFrom("registrations")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

function known(row: RegistrationRow | undefined): KnownRegistration | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    token: row.token,
    generation: row.generation,
    clientSecretHash: row.client_secret_hash,
    subscription:
      row.p256dh === null || row.auth === null
        ? null
        : { p256dh: row.p256dh, auth: row.auth, vapidKeyId: row.vapid_key_id },
    endReason: row.end_reason,
  };
}

function liveAmong(connection: Connection, projectId: number, tokens: readonly string[]) {
  return connection
    .selectFrom("registrations")
    .select("token")
    .where("token", "in", valuesOf<string>(tokens))
    .where("project_id", "=", projectId)
    .where("ended_at_ms", "is", null);
}
