/** Endpoints that a push service called gone after it had accepted a push for them. The server tells a browser that still shows one. */
import { sql } from "kysely";
import type { Delivered, GoneEndpoint, RegistrationCandidate } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

type Endpoint = Pick<RegistrationCandidate, "projectId" | "endpointHash">;

/**
 * To be called in a transaction. Marks the registrations whose push service has accepted a push, if they still have the generation that it was sent to.
 * A registration that has the mark is not written again.
 */
export async function markAccepted(
  transaction: Connection,
  delivered: readonly Delivered[],
): Promise<void> {
  const accepted = delivered.filter(({ kind }) => kind === "accepted");
  if (accepted.length === 0) return;
  const list = JSON.stringify(accepted.map((each) => [each.registrationId, each.generation]));
  await mark(transaction, { list });
}

const mark = compileOnce(
  (_, { list }: { list: string }) => sql`
    update registrations set accepted = 1 from json_each(${list}) as sent
    where registrations.id = sent.value ->> 0 and generation = sent.value ->> 1 and accepted = 0`,
);

/** So many are remembered of one registration. A browser whose profile was put back from a copy shows an old one. */
const mostOfOne = 8;

/** To be called in a transaction, before the registration ends. Does nothing if it has another generation than the one that was sent to. */
export async function rememberGone(
  transaction: Connection,
  { registrationId, generation }: Pick<Delivered, "registrationId" | "generation">,
  nowMs: number,
): Promise<void> {
  const { numAffectedRows } = await sql`
    insert or replace into gone_endpoints (project_id, endpoint_hash, registration_id, gone_at_ms)
    select project_id, endpoint_hash, id, ${nowMs} from registrations
      where id = ${registrationId} and generation = ${generation} and ended_at_ms is null and accepted = 1`.execute(
    transaction,
  );
  if (numAffectedRows === 1n) await surplusOf(transaction, registrationId).execute();
}

/** All but the latest of a registration. */
function surplusOf(connection: Connection, registrationId: number) {
  return connection.deleteFrom("gone_endpoints").where(
    sql<boolean>`(project_id, endpoint_hash) in (select project_id, endpoint_hash from gone_endpoints
      where registration_id = ${registrationId} order by gone_at_ms desc limit -1 offset ${mostOfOne})`,
  );
}

export async function findGoneEndpoint(
  transaction: Connection,
  { projectId, endpointHash }: Endpoint,
): Promise<GoneEndpoint | null> {
  const { rows } = await goneEndpoint(transaction, { projectId, endpointHash });
  const [row] = rows;
  return row === undefined ? null : { ...row, wasTold: row.wasTold === 1 };
}

const goneEndpoint = compileOnce((connection, { projectId, endpointHash }: Endpoint) =>
  connection
    .selectFrom("gone_endpoints")
    .innerJoin("registrations", "registrations.id", "gone_endpoints.registration_id")
    .select(["client_secret_hash as clientSecretHash", "told as wasTold"])
    .where("gone_endpoints.project_id", "=", projectId)
    .where("gone_endpoints.endpoint_hash", "=", endpointHash),
);

/** To be called in a transaction. The server tells the browser with its answer. */
export async function noteTold(
  transaction: Connection,
  { projectId, endpointHash }: Endpoint,
): Promise<void> {
  await sql`update gone_endpoints set told = 1
    where project_id = ${projectId} and endpoint_hash = ${endpointHash}`.execute(transaction);
}

/** To be called in a transaction. The endpoint is registered again. */
export async function noteBack(
  transaction: Connection,
  { projectId, endpointHash }: Endpoint,
): Promise<void> {
  await sql`delete from gone_endpoints
    where project_id = ${projectId} and endpoint_hash = ${endpointHash}`.execute(transaction);
}

export function goneBefore(connection: Connection, beforeMs: number, limit: number) {
  return connection.deleteFrom("gone_endpoints").where(
    sql<boolean>`(project_id, endpoint_hash) in (select project_id, endpoint_hash from gone_endpoints
        where gone_at_ms < ${beforeMs} limit ${limit})`,
  );
}
