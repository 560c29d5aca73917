import type { Log } from "../log.ts";
import type { PushMetrics } from "../metrics/metrics.ts";
import type {
  Batch,
  Checkpointed,
  Delivered,
  OutcomeCounts,
  ReadyDestination,
} from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import type { Breakers } from "./breakers.ts";
import { createEvidence } from "./evidence.ts";
import { keepLease } from "./lease.ts";
import { sendPage, type PageParts, type SendPush } from "./page.ts";
import { readWork, type Retried, type Work, type WorkParts } from "./work.ts";
import { untilWritten, type WriteParts } from "./write.ts";

export type TurnParts = PageParts &
  WriteParts &
  WorkParts & {
    breakers: Breakers;
    metrics: PushMetrics;
    leaseMs: number;
    /** Registrations between two checkpoints: after a crash at most so many of a batch are sent to twice. */
    pageSize: number;
    /** Which of these messages is next. */
    choose: (messageIds: readonly string[]) => string | undefined;
  };

/**
 * One turn at a destination: leases a batch, sends one page of it, writes what came of it and gives the batch back. If
 * the destination's breaker is open, the page is a probe: one push.
 * @returns whether there was anything to do
 */
export async function takeTurn(
  destination: ReadyDestination,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<boolean> {
  const { store, breakers, now, owner, leaseMs, pageSize } = parts;
  const { probe } = destination;
  const messageId = parts.choose(await store.readyMessages(destination, owner, now()));
  if (messageId === undefined) return false;
  if (probe && !(await breakers.takeProbe(destination))) return false;
  const lease = { owner, untilMs: now() + leaseMs };
  const batch = await store.lease(destination, messageId, lease, now());
  if (batch === null) return false;
  const kept = keepLease(batch.id, parts);
  try {
    const work = await readWork(batch, { pageSize, probe }, parts);
    if (work === null) return true;
    if (probe) await sendProbe(batch, work, signal, parts);
    else await sendWork(batch, work, signal, parts);
    return true;
  } finally {
    kept.stop();
  }
}

async function sendWork(
  batch: Batch,
  work: Work,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const evidence = parts.breakers.evidence(batch);
  const page = { ...work, turns: [...work.retries, ...work.walk] };
  const delivered = await sendPage(page, evidence, signal, parts);
  await write(batch, work, delivered, signal, parts);
  await parts.breakers.openIf(batch, evidence);
}

/** The one push's own outcome decides, nothing that is known from before. */
async function sendProbe(
  batch: Batch,
  work: Work,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const outcomes: Outcome[] = [];
  const send: SendPush = async (...push) => {
    const outcome = await parts.send(...push);
    outcomes.push(outcome);
    return outcome;
  };
  const page = { ...work, turns: [...work.retries, ...work.walk] };
  const evidence = createEvidence(pushServiceOf(batch.pushOrigin));
  const delivered = await sendPage(page, evidence, signal, { ...parts, send });
  await write(batch, work, delivered, signal, parts);
  for (const outcome of outcomes) await parts.breakers.settleProbe(batch, outcome);
}

/** @param delivered in any order; of the page's first so many */
async function write(
  batch: Batch,
  work: Work,
  delivered: readonly Delivered[],
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const { store, owner, now, metrics, log } = parts;
  const byId = new Map(delivered.map((each) => [each.registrationId, each]));
  const retried = work.retries.flatMap(({ recipient, attempts }): Retried[] => {
    const each = byId.get(recipient.registrationId);
    return each === undefined ? [] : [{ attempts, delivered: each }];
  });
  const walked = work.walk.flatMap(({ recipient }) => byId.get(recipient.registrationId) ?? []);
  const page = {
    batch,
    owner,
    to: cursorAfter(batch, work, walked.length),
    walked,
    retried: [...retried, ...work.notAgain],
  };
  let written: Checkpointed | null = null;
  const attempt = async () => {
    written = await store.checkpoint(page, now());
  };
  await untilWritten(attempt, parts, signal);
  logTroubles(batch, delivered, log);
  if (written === null)
    log.warn({ batchId: batch.id }, "a page came too late: its lease had ended");
  else countPushes(batch, written, metrics);
}

function cursorAfter(batch: Batch, { walk, walkTo }: Work, walkedCount: number): number {
  if (walkedCount === walk.length) return walkTo;
  return walk[walkedCount - 1]?.recipient.registrationId ?? batch.cursor;
}

function countPushes(batch: Batch, { counts }: Checkpointed, metrics: PushMetrics): void {
  const service = pushServiceOf(batch.pushOrigin);
  const outcomes = [
    "accepted",
    "gone",
    "retry",
    "rejected",
    "failed",
  ] as const satisfies readonly (keyof OutcomeCounts)[];
  for (const outcome of outcomes) {
    if (counts[outcome] > 0) metrics.pushes(service, outcome, counts[outcome]);
  }
}

/** One line for each reason on a page: a key that is refused is refused a thousand times. */
function logTroubles(batch: Batch, delivered: readonly Delivered[], log: Log): void {
  const troubles = delivered.filter((each) => each.kind !== "accepted" && each.kind !== "gone");
  for (const [reason, group] of Map.groupBy(troubles, (each) => each.reason)) {
    const { messageId, pushOrigin } = batch;
    const fields = { messageId, pushOrigin, reason, detail: group[0]?.detail };
    const level = group[0]?.kind === "retry" ? "info" : "warn";
    log[level]({ ...fields, registrations: group.length }, "not accepted");
  }
}
