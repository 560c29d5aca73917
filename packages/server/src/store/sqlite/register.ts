/** Registering, by what is there already. */
import { sql, type Selectable } from "kysely";
import type {
  DecideRegistration,
  KnownRegistration,
  MembershipRequest,
  RegistrationCandidate,
  RegistrationResult,
} from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { findGoneEndpoint, noteBack, noteTold } from "./gone-endpoints.ts";
import { applyMembership, decideMembership } from "./memberships.ts";
import { noteReturn } from "./losses.ts";
import { afterMove, hasMoved } from "./moved.ts";
import { insertAllNew, insertNew } from "./new-registrations.ts";
import { roomFor } from "./quotas.ts";
import { refreshColumns, subscriptionColumns } from "./subscription-columns.ts";
import type { Tables } from "./tables.ts";

type RegistrationRow = Selectable<Tables["registrations"]>;

export type Asked = {
  candidate: RegistrationCandidate;
  decide: DecideRegistration;
  nowMs: number;
  membership: MembershipRequest | undefined;
};

/**
 * To be called in a transaction. As if they came one by one; but most are new, and nothing else is to be known of them: these are written and
 * counted together. @returns the result of each, in order
 */
export async function registerAll(
  transaction: Connection,
  asked: readonly Asked[],
): Promise<RegistrationResult[]> {
  const together = (await haveRoom(transaction, asked))
    ? await plainAmong(transaction, asked)
    : new Set<Asked>();
  await insertAllNew(transaction, together);
  const results: RegistrationResult[] = [];
  for (const each of asked) {
    results.push(
      together.has(each)
        ? { kind: "new", token: each.candidate.newToken }
        : await registerOne(transaction, each),
    );
  }
  return results;
}

/** Whether the quotas leave room for all of them. Where one might not, it matters who comes first. */
async function haveRoom(transaction: Connection, asked: readonly Asked[]): Promise<boolean> {
  for (const [projectId, some] of Map.groupBy(asked, (each) => each.candidate.projectId)) {
    if ((await roomFor(transaction, projectId)) < some.length) return false;
  }
  return true;
}

/** Those that are new whatever becomes of the others, and belong to nothing. */
async function plainAmong(
  transaction: Connection,
  asked: readonly Asked[],
): Promise<ReadonlySet<Asked>> {
  const met = await placesOfMet(transaction, asked);
  return new Set(
    asked.filter(
      ({ candidate, decide, membership }, place) =>
        !met.has(place) &&
        candidate.earlierToken === null &&
        membership === undefined &&
        decide({ byEndpoint: null, goneEndpoint: null, byToken: null }).kind === "new",
    ),
  );
}

async function registerOne(
  transaction: Connection,
  { candidate, decide, nowMs, membership }: Asked,
): Promise<RegistrationResult> {
  const byEndpoint = await findByEndpoint(transaction, candidate);
  const goneEndpoint =
    byEndpoint === undefined ? await findGoneEndpoint(transaction, candidate) : null;
  const byToken =
    candidate.earlierToken === null
      ? undefined
      : await findByToken(transaction, candidate.projectId, candidate.earlierToken);
  const decision = decide({
    byEndpoint: known(byEndpoint),
    goneEndpoint,
    byToken: known(byToken),
  });
  if (decision.kind === "refuse") return { kind: "refused", code: "registration-refused" };
  if (decision.kind === "tell-gone") {
    await noteTold(transaction, candidate);
    return { kind: "refused", code: "subscription-gone" };
  }
  const isLive = [byEndpoint, byToken].some(
    (row) => decision.kind !== "new" && row?.id === decision.id && row.ended_at_ms === null,
  );
  if (!isLive && (await roomFor(transaction, candidate.projectId)) <= 0) {
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
  if (goneEndpoint !== null) await noteBack(transaction, candidate);
  const accepted = goneEndpoint === null ? 0 : 1;
  if (decision.kind === "new") {
    const id = await insertNew(transaction, { candidate, nowMs, accepted });
    if (belongs !== null) await applyMembership(transaction, id, belongs, nowMs);
    // The server has counted the loss of a browser that left or was removed.
    if (byToken?.end_reason !== "left") {
      await noteReturn(transaction, { id, kind: "new", goneAtMs: null }, candidate, nowMs);
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
            ...subscriptionColumns(candidate, nowMs, accepted),
            generation: row("generation", "+", 1),
            renewed_at_ms: nowMs,
          }
        : refreshColumns(candidate, nowMs),
    )
    .where("id", "=", id)
    .returning(["token", "generation", "push_service", "push_origin", "vapid_key_id", "time_zone"])
    .executeTakeFirstOrThrow();
  if (belongs !== null) await applyMembership(transaction, id, belongs, nowMs);
  const returned = { id, kind: decision.kind, goneAtMs: before.ended_at_ms };
  await noteReturn(transaction, returned, candidate, nowMs);
  if (hasMoved(before, now) || before.passed_messages !== null) {
    const registration = { id, projectId: candidate.projectId, generation };
    await afterMove(transaction, registration, before, now, nowMs);
  }
  return { kind: decision.kind === "renew" ? "renewed" : "refreshed", token };
}

/** Places of those whose endpoint is registered, is remembered as gone, or was named by one before them. */
async function placesOfMet(
  transaction: Connection,
  asked: readonly Asked[],
): Promise<ReadonlySet<number>> {
  const named = asked.map(
    ({ candidate: { projectId, endpointHash } }) =>
      [projectId, Buffer.from(endpointHash).toString("hex")] as const,
  );
  const { rows } = await knownAmongEndpoints(transaction, { named: JSON.stringify(named) });
  const met = new Set(rows.map(({ place }) => place));
  const seen = new Set<string>();
  for (const [place, [projectId, hash]] of named.entries()) {
    const endpoint = `${projectId} ${hash}`;
    if (seen.has(endpoint)) met.add(place);
    seen.add(endpoint);
  }
  return met;
}

const knownAmongEndpoints = compileOnce(
  (_, { named }: { named: string }) => sql<{ place: number }>`
    select named.key as place from json_each(${named}) as named
      cross join registrations on project_id = named.value ->> 0 and endpoint_hash = unhex(named.value ->> 1)
    where ended_at_ms is null
    union all
    select named.key as place from json_each(${named}) as named
      cross join gone_endpoints on project_id = named.value ->> 0 and endpoint_hash = unhex(named.value ->> 1)`,
);

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

export async function findByToken(
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

export function known(row: RegistrationRow | undefined): KnownRegistration | null {
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
