import type { Log } from "../log.ts";
import type { PushMetrics } from "../metrics/metrics.ts";
import type {
  Batch,
  Checkpointed,
  Delivered,
  OutcomeCounts,
  ReadyDestination,
} from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import type { Breakers, Probe, Probed } from "./breakers.ts";
import { createEvidence } from "./evidence.ts";
import { keepLease } from "./lease.ts";
import { sendPage, type PageParts, type SendPush } from "./page.ts";
import { readWork, type Portion, type Retried, type Work, type WorkParts } from "./work.ts";
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
 * the destination's breaker is open, the page is a probe: a few pushes.
 * @returns whether there was anything to do
 */
export async function takeTurn(
  destination: ReadyDestination,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<boolean> {
  const { store, breakers, now, owner, leaseMs, pageSize } = parts;
  const messageId = parts.choose(await store.readyMessages(destination, owner, now()));
  if (messageId === undefined) return false;
  const probe = destination.probe ? await breakers.takeProbe(destination) : null;
  if (destination.probe && probe === null) return false;
  const lease = { owner, untilMs: now() + leaseMs };
  const batch = await store.lease(destination, messageId, lease, now());
  if (batch === null) return false;
  const kept = keepLease(batch.id, parts);
  try {
    const work = await readWork(batch, portionOf(probe, pageSize), parts);
    if (work === null) return true;
    if (probe === null) await sendWork(batch, work, signal, parts);
    else await sendProbe(batch, work, probe, signal, parts);
    return true;
  } finally {
    kept.stop();
  }
}

/** A probe walks on where it can, so that it does not hang on one registration that is refused for reasons of its own. */
function portionOf(probe: Probe | null, pageSize: number): Portion {
  if (probe === null) return { retries: pageSize, walk: pageSize, walkFirst: false };
  const { asked, beside } = probe;
  return { retries: Math.min(asked, pageSize), walk: beside ? pageSize : asked, walkFirst: true };
}

async function sendWork(
  batch: Batch,
  work: Work,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const evidence = await parts.breakers.evidence(batch);
  const page = { ...work, turns: [...work.retries, ...work.walk] };
  const delivered = await sendPage(page, evidence, signal, parts);
  await write(batch, work, delivered, signal, parts);
  await parts.breakers.openIf(batch, evidence);
}

/** What comes of these pushes decides, nothing that is known from before. */
async function sendProbe(
  batch: Batch,
  work: Work,
  { asked, beside }: Probe,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const probed: Probed[] = [];
  const send: SendPush = async (message, recipient, endsAtMs) => {
    const outcome = await parts.send(message, recipient, endsAtMs);
    const known = beside && work.walk.length > 0 && recipient.refusedAtMs !== null;
    probed.push({ outcome, known });
    return outcome;
  };
  const page = { ...work, turns: [...work.retries, ...work.walk] };
  const patience = { throttled: 1, unavailable: 1, "vapid-refused": asked, "refuses-all": asked };
  const evidence = createEvidence(pushServiceOf(batch.pushOrigin), false, patience);
  const concurrency = Math.min(parts.concurrency, asked);
  const delivered = await sendPage(page, evidence, signal, { ...parts, send, concurrency });
  await write(batch, work, delivered, signal, parts);
  await parts.breakers.settleProbe(batch, probed);
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
