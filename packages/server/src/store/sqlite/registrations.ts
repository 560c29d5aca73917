import type { Selectable } from "kysely";
import type {
  KnownRegistration,
  MembershipResult,
  RegistrationCandidate,
  RegistrationResult,
  RegistrationStore,
} from "../port.ts";
import type { Connection } from "./connection.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { applyMembership, decideMembership } from "./memberships.ts";
import type { Tables } from "./tables.ts";

/** What every ended registration loses: nobody can be reached with what is left. */
export const scrubbed = { endpoint: null, endpoint_hash: null, p256dh: null, auth: null } as const;

export function registrationStore(
  connection: Connection,
  grouped: GroupedWrite,
): RegistrationStore {
  return {
    register: (candidate, decide, nowMs, membership) =>
      grouped<RegistrationResult>(async (transaction) => {
        const byEndpoint = await findByEndpoint(transaction, candidate);
        const byToken =
          candidate.earlierToken === null
            ? null
            : await findByToken(transaction, candidate.projectId, candidate.earlierToken);
        const decision = decide({ byEndpoint, byToken });
        if (decision.kind === "refuse") return { kind: "refused", code: "registration-refused" };
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
        if (belongs?.kind === "refuse") return { kind: "refused", code: belongs.code };
        if (decision.kind === "new") {
          const { insertId } = await transaction
            .insertInto("registrations")
            .values({
              project_id: candidate.projectId,
              token: candidate.newToken,
              client_secret_hash: candidate.clientSecretHash,
              ...subscriptionColumns(candidate, nowMs),
              created_at_ms: nowMs,
            })
            .executeTakeFirstOrThrow();
          if (belongs !== null) {
            await applyMembership(transaction, Number(insertId), belongs, nowMs);
          }
          return { kind: "new", token: candidate.newToken };
        }
        const { token } = await transaction
          .updateTable("registrations")
          .set((row) =>
            decision.kind === "renew"
              ? { ...subscriptionColumns(candidate, nowMs), generation: row("generation", "+", 1) }
              : refreshColumns(candidate, nowMs),
          )
          .where("id", "=", decision.id)
          .returning("token")
          .executeTakeFirstOrThrow();
        if (belongs !== null) await applyMembership(transaction, decision.id, belongs, nowMs);
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

    find: (projectId, token) => findByToken(connection, projectId, token),

    leave: (id, nowMs) =>
      grouped(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("registrations")
          .set({
            ...scrubbed,
            client_secret_hash: null,
            user_id: null,
            ended_at_ms: nowMs,
            end_reason: "left",
          })
          .where("id", "=", id)
          .where((row) => row.or([row("end_reason", "is", null), row("end_reason", "=", "gone")]))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await transaction
          .deleteFrom("registration_topics")
          .where("registration_id", "=", id)
          .execute();
        return true;
      }),

    async longestOrigin(projectId) {
      const row = await connection
        .selectFrom("registrations")
        .select("origin")
        .where("project_id", "=", projectId)
        .where("ended_at_ms", "is", null)
        .orderBy((origin) => origin.fn("length", ["origin"]), "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.origin ?? null;
    },

    async countLive(projectId) {
      const { count } = await connection
        .selectFrom("registrations")
        .select((row) => row.fn.countAll<number>().as("count"))
        .where("project_id", "=", projectId)
        .where("ended_at_ms", "is", null)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** What may change while the subscription stays the same. */
function refreshColumns(candidate: RegistrationCandidate, nowMs: number) {
  return {
    origin: candidate.origin,
    locale: candidate.locale,
    time_zone: candidate.timeZone,
    refreshed_at_ms: nowMs,
  };
}

/** A subscription, alive. */
function subscriptionColumns(candidate: RegistrationCandidate, nowMs: number) {
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
  };
}

async function findByEndpoint(connection: Connection, candidate: RegistrationCandidate) {
  const row = await connection
    .selectFrom("registrations")
    .selectAll()
    .where("project_id", "=", candidate.projectId)
    .where("endpoint_hash", "=", candidate.endpointHash)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : known(row);
}

async function findByToken(connection: Connection, projectId: number, token: string) {
  const row = await connection
    .selectFrom("registrations")
    .selectAll()
    .where("token", "=", token)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row === undefined ? null : known(row);
}

function known(row: Selectable<Tables["registrations"]>): KnownRegistration {
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
