/** A page of the world (delivery-world.ts) that is on its way, and how its push origins part. */
import type { Batch, Delivered, DueRetry, Recipient, Split, Store } from "../port.ts";
import type { Told } from "./delivery-model.ts";

/** A page that a server has begun to send. */
export type Turn = {
  store: Store;
  owner: string;
  batch: Batch;
  told: Told;
  page: readonly Recipient[];
  due: readonly DueRetry[];
  /** Where the cursor stands when all of it is sent. */
  to: number;
};

/** What becomes of a push origin of a page: it is slow and goes on alone, or it is left alone half way. */
export type Parting = "ends" | "slow" | "cut";

export function inFlight({ page, due }: Pick<Turn, "page" | "due">): number[] {
  return [...page, ...due].map(({ registrationId }) => registrationId);
}

/** What comes of its pushes is never written. */
export function lose(turn: Turn): void {
  for (const id of inFlight(turn)) turn.told.mayRepeat.add(id);
}

export const sentBy = (isSent: (to: Recipient) => boolean) => (retry: DueRetry) =>
  retry.recipient !== null && isSent(retry.recipient);

/** What of a page is written now, what goes on as batches of its own, and where the walk goes on. */
export function part(
  { batch, page, due, to }: Turn,
  partings: readonly Parting[],
  leaseUntilMs: number,
) {
  const recipients = [...due.flatMap(({ recipient }) => recipient ?? []), ...page];
  const origins = [...new Set(recipients.map(({ pushOrigin }) => pushOrigin))];
  const how = new Map(origins.map((origin, index) => [origin, partings[index] ?? "ends"]));
  const isAlone = origins.length === 1;
  const of = (parting: Parting) =>
    origins.filter((origin) => how.get(origin) === parting && !(isAlone && parting === "slow"));
  const [slow, cut] = [of("slow"), of("cut")];
  /** Half of those at a push origin that is left alone were begun. */
  const begun = new Set(
    cut.flatMap((origin) => {
      const own = recipients.filter(({ pushOrigin }) => pushOrigin === origin);
      return own.slice(0, Math.floor(own.length / 2));
    }),
  );
  const lastBegun = (origin: string) => {
    const walked = page.filter((each) => begun.has(each) && each.pushOrigin === origin);
    return Math.max(batch.cursor, ...walked.map(({ registrationId }) => registrationId));
  };
  const isSent = (each: Recipient) =>
    begun.has(each) || !(slow.includes(each.pushOrigin) || cut.includes(each.pushOrigin));
  const [only = ""] = origins;
  if (isAlone && cut.length === 1 && batch.onlyOrigins?.length === 1) {
    return { isSent, slow: [], splits: [], to: lastBegun(only) };
  }
  const splits: Split[] = [
    ...slow.map((origin) => ({
      pushOrigins: [origin],
      cursor: batch.cursor,
      leaseUntilMs,
      underWay: recipients
        .filter(({ pushOrigin }) => pushOrigin === origin)
        .map(({ registrationId }) => registrationId),
    })),
    ...cut.map((origin) => ({
      pushOrigins: [origin],
      cursor: lastBegun(origin),
      leaseUntilMs: null,
    })),
  ];
  const slowly = slow.map((origin) => (each: Recipient) => each.pushOrigin === origin);
  return { isSent, slow: slowly, splits, to };
}

export function notInAudience(registrationId: number, pushOrigin: string): Delivered {
  const why = { reason: "not-in-audience", detail: "" };
  return { registrationId, generation: 0, pushOrigin, kind: "failed", ...why };
}

export function deliveredOf(
  { registrationId, generation, pushOrigin }: Recipient,
  kind: Delivered["kind"],
  nowMs: number,
): Delivered {
  const to = { registrationId, generation, pushOrigin };
  if (kind === "accepted" || kind === "gone") return { ...to, kind };
  const why = { reason: kind, detail: "" };
  if (kind !== "retry") return { ...to, kind, ...why };
  const counted = registrationId % 3 > 0;
  return { ...to, kind, ...why, dueAtMs: nowMs + 10 * registrationId, counted };
}
