/** Leads messages through the store as the delivery does; what a push would have come to is the case's to say. */
import { pushServiceNameOf } from "../../webpush/push-hosts.ts";
import type {
  Batch,
  Delivered,
  HeldLease,
  Message,
  NewMessage,
  PublishedMessage,
  PushOriginKey,
  ReasonCount,
  Split,
  Store,
} from "../port.ts";
import type { ContractBench } from "./bench.ts";

/** The figures of a message of which nothing has come yet. */
export const none = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };

/** Long beyond what any case takes. */
const leaseMs = 60_000;

export async function findMessage(
  bench: Pick<ContractBench, "store" | "projectId">,
  id: string,
): Promise<PublishedMessage> {
  const message = await bench.store.messages.find(bench.projectId, id);
  if (message === null) throw new Error("the message is not there");
  return message;
}

/** What `reasons` must give: counted anew from the exceptions themselves. */
export async function recountReasons(
  { messages }: Pick<Store, "messages">,
  id: string,
): Promise<ReasonCount[]> {
  const { exceptions } = await messages.exceptions(id, { afterId: 0, limit: 10_000 });
  const reasons = new Map<string, ReasonCount>();
  for (const { pushOrigin, kind, reason, detail } of exceptions) {
    if (kind === "gone") continue;
    const key = `${pushOrigin} ${kind} ${reason}`;
    const same = reasons.get(key) ?? { pushOrigin, kind, reason, detail, count: 0 };
    same.count += 1;
    if (detail > same.detail) same.detail = detail;
    reasons.set(key, same);
  }
  return [...reasons.values()].toSorted(inOrder);
}

/** The order in which `reasons` gives them. */
function inOrder(one: ReasonCount, other: ReasonCount): number {
  return (
    byText(one.pushOrigin, other.pushOrigin) ||
    other.count - one.count ||
    byText(one.kind, other.kind) ||
    byText(one.reason, other.reason)
  );
}

function byText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

/** Publishes a message and starts sending it; nothing is planned yet. */
export async function startMessage(
  bench: ContractBench,
  over: Partial<NewMessage> = {},
): Promise<Message> {
  const message = bench.message(over);
  await bench.store.messages.publish(message, 1);
  await bench.store.delivery.startSending(message.id, message.scheduledAtMs);
  return findMessage(bench, message.id);
}

/** Publishes a message, starts sending it and plans it to the end. */
export async function planMessage(
  bench: ContractBench,
  over: Partial<NewMessage> = {},
  { keys = 1_000, dueAt = () => 1_000 }: Partial<Parameters<typeof planOn>[2]> = {},
): Promise<Message> {
  const { id } = await startMessage(bench, over);
  return planOn(bench, id, { keys, dueAt });
}

/** Plans a message that is being sent to the end. */
export async function planOn(
  bench: Pick<ContractBench, "store" | "projectId">,
  id: string,
  options: { keys: number; dueAt: (timeZone: string | null) => number },
): Promise<Message> {
  for (;;) {
    const message = await findMessage(bench, id);
    if (message.plannedTo >= (message.watermark ?? 0)) return message;
    if (!(await bench.store.delivery.planPart(message, options, message.scheduledAtMs))) {
      throw new Error("the message cannot be planned");
    }
  }
}

/** Which batch to lease, and for whom. */
type Wanted = {
  owner?: string;
  messageId?: string;
  /** Any at its push service. */
  pushOrigin?: string;
  lane?: string;
};

/** Leases the next batch that is free, of this message, push service and lane if they are given. */
export async function leaseNext(
  { delivery }: Pick<Store, "delivery">,
  nowMs: number,
  { owner = "owner", messageId, pushOrigin, lane }: Wanted = {},
): Promise<Batch | null> {
  await delivery.freeEndedLeases(owner, nowMs);
  for (const at of await delivery.readyDestinations(nowMs)) {
    if (pushOrigin !== undefined && at.pushService !== pushServiceNameOf(pushOrigin)) continue;
    if (lane !== undefined && at.lane !== lane) continue;
    const ready = await delivery.readyMessages(at, nowMs);
    const id = messageId === undefined ? ready[0] : ready.find((each) => each === messageId);
    if (id === undefined) continue;
    const batch = await delivery.lease(at, id, { owner, untilMs: nowMs + leaseMs }, nowMs);
    return batch && delivery.splitOff(batch, owner);
  }
  return null;
}

/** Leases the next batch; throws if there is none. */
export async function mustLease(...args: Parameters<typeof leaseNext>): Promise<Batch> {
  const batch = await leaseNext(...args);
  if (batch === null) throw new Error("there is no batch to lease");
  return batch;
}

/** Leases the next batch that the breaker of this push origin holds, as a probe does; throws if there is none. */
export async function mustLeaseHeld(
  { delivery }: Pick<Store, "delivery">,
  at: PushOriginKey,
  nowMs: number,
): Promise<Batch> {
  const batch = await delivery.leaseHeld(at, { owner: "owner", untilMs: nowMs + leaseMs }, nowMs);
  if (batch === null) throw new Error("there is no held batch to lease");
  return batch;
}

/** Leases whatever there is, one batch after the other; fails if there is no end to it. */
export async function* leaseAll(...args: Parameters<typeof leaseNext>): AsyncGenerator<Batch> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    const batch = await leaseNext(...args);
    if (batch === null) return;
    yield batch;
  }
  throw new Error("there is always another batch to lease");
}

/** The lease that the batch was leased by. */
export function leaseOf({ id, epoch }: Batch, owner = "owner"): HeldLease {
  return { id, epoch, owner };
}

/** What came of a push; without a push origin it was sent to that of the batch. */
export type Came = Delivered extends infer Each
  ? Each extends Delivered
    ? Omit<Each, "pushOrigin"> & { pushOrigin?: string }
    : never
  : never;

/** Writes the page of a batch that the first owner holds. */
export function writePage(
  { delivery }: Pick<Store, "delivery">,
  batch: Batch,
  {
    to = batch.lastId,
    walked = [],
    retried = [],
    owner = "owner",
    splits = [],
  }: {
    to?: number;
    walked?: readonly Came[];
    retried?: readonly { attempts: number; delivered: Came }[];
    owner?: string;
    splits?: readonly Split[];
  },
  nowMs: number,
) {
  const at = (came: Came): Delivered => ({ pushOrigin: originOf(batch), ...came });
  return delivery.checkpoint(
    {
      batch,
      owner,
      to,
      walked: walked.map(at),
      retried: retried.map(({ attempts, delivered }) => ({ attempts, delivered: at(delivered) })),
      splits,
    },
    nowMs,
  );
}

/** Its push origin; of a vendor's with several the first. */
function originOf({ onlyOrigins, pushService }: Batch): string {
  return onlyOrigins?.[0] ?? pushService;
}

export function accepted(registrationId: number, generation = 1): Came {
  return { registrationId, generation, kind: "accepted" };
}

/** Of a batch with several push origins. */
export function acceptedAt(pushOrigin: string, registrationId: number): Came {
  return Object.assign(accepted(registrationId), { pushOrigin });
}

export function gone(registrationId: number, generation = 1): Came {
  return { registrationId, generation, kind: "gone" };
}

export function retry(
  registrationId: number,
  dueAtMs: number,
  counted = true,
  setAtMs?: number,
): Came {
  return {
    registrationId,
    generation: 1,
    kind: "retry",
    reason: "busy",
    detail: "429",
    dueAtMs,
    ...(setAtMs === undefined ? {} : { setAtMs }),
    counted,
  };
}

export function refused(
  registrationId: number,
  kind: "rejected" | "failed" = "rejected",
  reason = "too-large",
): Came {
  return { registrationId, generation: 1, kind, reason, detail: "" };
}
