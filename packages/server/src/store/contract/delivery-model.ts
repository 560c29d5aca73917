/** What browsers and messages went through, kept in plain maps beside the store, and what must be true of the store then. */
import { expect } from "vitest";
import type { Message, OutcomeCounts } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { findMessage, recountReasons } from "./delivering.ts";

export type Place = { pushOrigin: string; timeZone: string | null };

export type Browser = Place & {
  id: number;
  token: string;
  generation: number;
  live: boolean;
  left: boolean;
  inTopic: boolean;
};

export type Told = {
  id: string;
  isFor: (browser: Browser) => boolean;
  /** In the audience ever since sending started. */
  steady: Set<number>;
  /** What checkpoints have said that they counted. */
  written: OutcomeCounts;
  /** By a page that was written: who was sent to, and whose push was accepted. */
  sent: Set<number>;
  accepted: Set<number>;
  /**
   * Who moved and was not in the audience, before the turn at the new place or while moving: they may count nowhere, whatever
   * was on its way to them before.
   */
  strayed: Set<number>;
  /** How often the push was accepted. */
  acceptedTimes: Map<number, number>;
  /** Who was sent to by a page that was lost, or moved while one was on its way: they may be sent to once more. */
  mayRepeat: Set<number>;
};

export function newlyTold(id: string, isFor: Told["isFor"]): Told {
  return {
    id,
    isFor,
    steady: new Set(),
    written: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
    sent: new Set(),
    accepted: new Set(),
    strayed: new Set(),
    acceptedTimes: new Map(),
    mayRepeat: new Set(),
  };
}

export const kinds = ["accepted", "gone", "retry", "rejected", "failed"] as const;

/** What must hold at every moment. */
export async function checkFigures(
  bench: ContractBench,
  messages: readonly Told[],
  nowMs: number,
): Promise<void> {
  let retries = 0;
  for (const told of messages) {
    const message = await findMessage(bench, told.id);
    const progress = await bench.store.messages.progress(told.id);
    const sum = (figure: (each: (typeof progress)[number]) => number) =>
      progress.reduce((soFar, each) => soFar + figure(each), 0);
    expect(sum(({ planned }) => planned)).toBe(message.plannedCount);
    for (const each of progress) expect(each.planned).toBeGreaterThanOrEqual(total(each));
    for (const kind of kinds) {
      expect(sum(({ counts }) => counts[kind])).toBe(message.counts[kind]);
      expect(message.counts[kind]).toBeGreaterThanOrEqual(0);
    }
    expect(await bench.store.messages.reasons(told.id)).toEqual(
      await recountReasons(bench.store, told.id),
    );
    expect(total(message)).toBeLessThanOrEqual(message.plannedCount);
    if (message.state === "sending" || message.state === "paused") retries += message.counts.retry;
    for (const kind of ["accepted", "gone", "rejected"] as const) {
      expect(message.counts[kind]).toBe(told.written[kind]);
    }
  }
  expect((await bench.store.delivery.queue(nowMs)).retries).toBe(retries);
}

/** What must hold when everything is delivered. */
export async function checkEnd(
  bench: ContractBench,
  messages: readonly Told[],
  nowMs: number,
): Promise<void> {
  await checkFigures(bench, messages, nowMs);
  expect(await bench.store.delivery.queue(nowMs)).toMatchObject({ openBatches: 0, retries: 0 });
  for (const told of messages) {
    const repeated = [...told.acceptedTimes].filter(
      ([id, times]) => times > 1 && !told.mayRepeat.has(id),
    );
    expect(repeated).toEqual([]);
    const message = await findMessage(bench, told.id);
    expect(message.counts.retry).toBe(0);
    if (message.state === "cancelled") continue;
    expect(message.state).toBe("done");
    expect([...told.steady].filter((id) => !told.sent.has(id))).toEqual([]);
    await checkCounted(bench, told, message);
  }
}

/** Each registration that was sent to is in exactly one of the five counts, and they sum to all that were planned. */
async function checkCounted({ store }: ContractBench, told: Told, message: Message): Promise<void> {
  const { counts, plannedCount } = message;
  expect(total(message)).toBe(plannedCount);
  expect(counts.failed).toBe(told.written.failed);
  const { exceptions } = await store.messages.exceptions(told.id, { afterId: 0, limit: 10_000 });
  const excepted = new Set(exceptions.map(({ registrationId }) => registrationId));
  for (const kind of ["gone", "rejected", "failed"] as const) {
    expect(exceptions.filter((each) => each.kind === kind)).toHaveLength(counts[kind]);
  }
  // Who has a row is counted by that alone; the others that were sent to have accepted it.
  expect([...excepted].filter((id) => !told.sent.has(id))).toEqual([]);
  const others = [...told.accepted].filter((id) => !excepted.has(id));
  const surely = others.filter((id) => !told.strayed.has(id));
  expect(counts.accepted).toBeLessThanOrEqual(others.length);
  expect(counts.accepted).toBeGreaterThanOrEqual(surely.length);
  const lost = [...told.sent].filter((id) => !excepted.has(id) && !told.accepted.has(id));
  expect(lost.filter((id) => !told.strayed.has(id))).toEqual([]);
}

function total({ counts }: { counts: OutcomeCounts }): number {
  return counts.accepted + counts.gone + counts.retry + counts.rejected + counts.failed;
}
