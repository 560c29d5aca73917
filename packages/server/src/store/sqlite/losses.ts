/** Losses of registrations that came back: the last one of each registration, and how many there were by cause. */
import type { RegistrationCandidate, ToldLoss } from "../port.ts";
import { dayOf } from "../day-of.ts";
import type { Connection } from "./connection.ts";

/** The last loss of a registration that came back. */
export function lossOf(connection: Connection, id: number) {
  return connection
    .selectFrom("registration_losses")
    .select(["cause", "gone_at_ms as goneAtMs", "returned_at_ms as returnedAtMs", "times"])
    .where("registration_id", "=", id);
}

type Returning = {
  id: number;
  /** What became of its registration. */
  kind: "new" | "renew" | "refresh";
  /** When the push service answered with 404 or 410; null if it was live, or is new. */
  goneAtMs: number | null;
};

/** Keeps and counts the loss of a registration that has just come back, if it had one. Call it in the transaction that registers it. */
export async function noteReturn(
  transaction: Connection,
  { id, kind, goneAtMs }: Returning,
  { projectId, loss }: Pick<RegistrationCandidate, "projectId" | "loss">,
  nowMs: number,
): Promise<void> {
  if (goneAtMs === null) {
    if (loss === null) return;
    // If the registration keeps its subscription, only this counts as a loss: another worker received the pushes.
    if (kind === "refresh" && loss.cause !== "worker-replaced") return;
    if (await wasTold(transaction, id, loss)) return;
  }
  const cause = loss?.cause ?? "gone";
  await transaction
    .insertInto("registration_losses")
    .values({
      registration_id: id,
      cause,
      gone_at_ms: goneAtMs,
      returned_at_ms: nowMs,
      confirmed_at_ms: loss?.confirmedAtMs ?? null,
    })
    .onConflict((conflict) =>
      conflict.doUpdateSet((row) => ({
        cause: row.ref("excluded.cause"),
        gone_at_ms: row.ref("excluded.gone_at_ms"),
        returned_at_ms: row.ref("excluded.returned_at_ms"),
        confirmed_at_ms: row.ref("excluded.confirmed_at_ms"),
        times: row("registration_losses.times", "+", 1),
      })),
    )
    .execute();
  await transaction
    .insertInto("audience_returns")
    .values({
      project_id: projectId,
      day: dayOf(goneAtMs ?? nowMs),
      cause,
      was_gone: goneAtMs === null ? 0 : 1,
      returns: 1,
    })
    .onConflict((conflict) =>
      conflict.doUpdateSet((row) => ({ returns: row("audience_returns.returns", "+", 1) })),
    )
    .execute();
}

/** Whether the browser has told that loss before. A browser that gets no answer tells it again. */
async function wasTold(
  transaction: Connection,
  id: number,
  { cause, confirmedAtMs }: ToldLoss,
): Promise<boolean> {
  const told = await transaction
    .selectFrom("registration_losses")
    .select("registration_id")
    .where("registration_id", "=", id)
    .where("cause", "=", cause)
    .where("confirmed_at_ms", "=", confirmedAtMs)
    .executeTakeFirst();
  return told !== undefined;
}
