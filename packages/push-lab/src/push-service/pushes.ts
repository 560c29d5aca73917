import { type Delivery, expiresAtMs } from "./message-queue.ts";
import type { PushDetails } from "./push-request.ts";

/** One request that arrived at the push service's endpoint, and what became of it. A snapshot: it does not change. */
export type Push = PushDetails & {
  /** The message's id, the last part of the Location it was answered with. */
  readonly id: string;
  readonly arrivedAtMs: number;
  /** Every header as it came, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, sealed; cut off where it was over the limit. */
  readonly body: Uint8Array;
  /** The HTTP status it was answered with; 0 where the lab was told to leave it without an answer. */
  readonly status: number;
  /** Why it was refused; the same sentence stood in the answer. */
  readonly reason?: string;
  /** Where it is on its way to the browser; only what was accepted (201) has one. */
  readonly delivery?: Delivery;
  /** The browser said that it has it; that stays true where its worker failed on it afterwards. */
  readonly acknowledged: boolean;
  /**
   * Why it is `undelivered`, by Firefox's code: 101 it could not be opened, 102 no worker got it, 301 the worker threw,
   * 302 what it waited for was rejected, 303 its worker did not run.
   */
  readonly undeliveredCode?: number;
};

export type PushCounts = {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
};

export type Pushes = {
  readonly record: (push: Push) => void;
  /** Returns the push if that is news. */
  readonly setDelivery: (
    id: string,
    delivery: Delivery,
    undeliveredCode?: number,
  ) => Push | undefined;
  readonly list: () => readonly Push[];
  /** How many there ever were, also by the status they were answered with. */
  readonly counts: () => PushCounts;
  /** The oldest push that fits and was not taken before. */
  readonly take: (filter: (push: Push) => boolean) => Push | undefined;
};

/** What arrived, oldest first. Only the last `keep` are kept, so that a lab that runs for weeks does not grow. */
export function createPushes({ now, keep }: { now: () => number; keep: number }): Pushes {
  const byId = new Map<string, Push>();
  const taken = new Set<string>();
  const statuses = new Map<string, number>();
  let requests = 0;

  const asOfNow = (push: Push): Push => {
    // The queue lets go of an expired message when it next looks; who asks here should not have to wait for that. A TTL of
    // 0 never waits: the queue decides on it at once.
    const { delivery, ttlSeconds = 0, arrivedAtMs: acceptedAtMs } = push;
    const waits = delivery === "queued" && ttlSeconds > 0;
    const expired = waits && expiresAtMs({ acceptedAtMs, ttlSeconds }) <= now();
    return expired ? { ...push, delivery: "expired" } : push;
  };

  return {
    record: (push) => {
      requests += 1;
      statuses.set(String(push.status), (statuses.get(String(push.status)) ?? 0) + 1);
      byId.set(push.id, push);
      for (const oldest of byId.keys()) {
        if (byId.size <= keep) break;
        byId.delete(oldest);
        taken.delete(oldest);
      }
    },
    setDelivery: (id, delivery, undeliveredCode) => {
      const push = byId.get(id);
      if (push === undefined || push.delivery === delivery) return undefined;
      if (push.acknowledged && delivery !== "undelivered") return undefined;
      const changed: Push = {
        ...push,
        delivery,
        acknowledged: push.acknowledged || delivery === "acknowledged",
        ...(undeliveredCode !== undefined && { undeliveredCode }),
      };
      byId.set(id, changed);
      return changed;
    },
    counts: () => ({ requests, statuses: Object.fromEntries(statuses) }),
    list: () => [...byId.values()].map(asOfNow),
    take: (filter) => {
      for (const [id, push] of byId) {
        if (taken.has(id)) continue;
        const current = asOfNow(push);
        if (!filter(current)) continue;
        taken.add(id);
        return current;
      }
      return undefined;
    },
  };
}
