import type { Batch, Destination, PushOriginKey } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { type Breakers, type Probe, type Probed } from "./breakers.ts";
import { createEvidence, type Evidence } from "./evidence.ts";
import type { Lane } from "./lanes.ts";
import { giveUpIf, madeUpAmong } from "./made-up-hosts.ts";
import { sendPage, type MadeUpHost, type PageParts, type SendPush, type Sending } from "./page.ts";
import { underLease, type PageLeaseParts } from "./page-lease.ts";
import { endOf, endOfApart, slowLanes, workAt, type PatienceParts } from "./split-page.ts";
import type { UnderWay } from "./under-way.ts";
import { readWork, type Portion, type Work, type WorkParts } from "./work.ts";
import { writePage, type WritePageParts } from "./write-page.ts";

export type TurnParts = PageParts &
  WorkParts &
  PageLeaseParts &
  PatienceParts &
  WritePageParts & {
    breakers: Breakers;
    /** Registrations between two checkpoints: after a crash at most so many of a batch are sent to twice. */
    pageSize: number;
    /** The same in the lane of push origins that have never accepted anything. */
    unprovenPageSize: number;
    /** Which of these messages is next. */
    choose: (messageIds: readonly string[]) => string | undefined;
    /** Takes over a page that goes on after its turn. */
    adopt: (destination: Destination, page: Promise<unknown>) => void;
  };

/**
 * One turn at a destination: leases a batch, sends one page of it, writes what came of it and gives the batch back.
 * @returns whether there was anything to do
 */
export async function takeTurn(
  destination: Destination,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<boolean> {
  const { store, now, owner, leaseMs } = parts;
  const messageId = parts.choose(await store.readyMessages(destination, now()));
  if (messageId === undefined) return false;
  const lease = { owner, untilMs: now() + leaseMs };
  const batch = await store.lease(destination, messageId, lease, now());
  if (batch === null) return false;
  await underLease(batch, signal, parts, async (page) => {
    const current = await store.splitOff(batch, owner);
    if (current === null) return;
    const work = await readWork(current, portionOf(current, parts), parts);
    if (work !== null) await sendWork(current, work, page, signal, parts);
  });
  return true;
}

/**
 * One turn at a push origin that a breaker holds: a few pushes that show whether it goes again.
 * @returns whether there was anything to do
 */
export async function takeProbeTurn(
  at: PushOriginKey,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<boolean> {
  const { store, breakers, now, owner, leaseMs, pageSize } = parts;
  const probe = await breakers.takeProbe(at);
  if (probe === null) return false;
  const batch = await store.leaseHeld(at, { owner, untilMs: now() + leaseMs }, now());
  if (batch === null) return false;
  await underLease(batch, signal, parts, async (page) => {
    const { asked, beside } = probe;
    const walk = beside ? pageSize : asked;
    const portion = {
      retries: Math.min(asked, pageSize),
      retriesBesideWalk: beside ? 1 : asked - 1,
      persists: !beside,
      walk,
      leastWalk: 0,
    };
    const work = await readWork(batch, portion, parts);
    if (work !== null) await sendProbe(at, batch, work, probe, page, signal, parts);
  });
  return true;
}

function portionOf({ lane }: Batch, { pageSize, unprovenPageSize }: TurnParts): Portion {
  if (lane !== "unproven") {
    const retries = pageSize;
    return { retries, retriesBesideWalk: retries, walk: pageSize, leastWalk: 0 };
  }
  // Retries of made-up hosts never end: half of the page is for those that were not tried yet.
  const half = Math.ceil(unprovenPageSize / 2);
  return { retries: half, retriesBesideWalk: half, walk: unprovenPageSize, leastWalk: half };
}

async function sendWork(
  batch: Batch,
  work: Work,
  page: UnderWay,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  page.turns = turnsOf(work);
  const evidence = await evidenceOfAll(batch, work, parts);
  const madeUp = await madeUpAmong(evidence, parts);
  const sending = sendPage(
    { ...work, madeUp, turns: page.turns, isProbe: false },
    evidenceAt(evidence),
    page,
    parts,
  );
  const sent = { work, sending, evidence, madeUp };
  const slow = await waitFor(batch, sending, page, parts);
  const end = endOf(batch, work, sending.lanes.all, {
    slow,
    endsEarly: page.ending.signal.aborted,
    leaseUntilMs: parts.now() + parts.leaseMs,
  });
  // Where nothing was begun nothing is, from now on.
  for (const lane of slow) if (lane.begun === 0) sending.close(lane);
  const delivered = end.ended.flatMap(({ pushOrigin }) => sending.delivered(pushOrigin));
  const { to, splits } = end;
  const written = await writePage({ batch, work, delivered, to, splits }, signal, parts);
  for (const [index, lane] of end.apart.entries()) {
    const child = written?.splits[index] ?? null;
    if (child === null) sending.close(lane);
    else parts.adopt(child, goOnApart(child, lane, sent, page, signal, parts));
  }
  await settle(batch, end.ended, sent, parts);
}

/** @returns the slow push origins; unproven ones wait for each other: each of them alone may be made up */
async function waitFor(
  { lane }: Batch,
  { lanes }: Sending,
  { ending }: UnderWay,
  parts: TurnParts,
): Promise<Lane[]> {
  if (lane !== "unproven") return slowLanes(lanes, ending.signal, parts);
  await lanes.ended();
  return [];
}

/** What is sent, and what is known of where it goes. */
type Sent = {
  work: Work;
  sending: Sending;
  evidence: ReadonlyMap<string, Evidence>;
  madeUp: ReadonlyMap<string, MadeUpHost>;
};

/** The rest of a page at a slow push origin, which has a batch and a lease of its own now. */
async function goOnApart(
  batch: Batch,
  lane: Lane,
  sent: Sent,
  from: UnderWay,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const { sending } = sent;
  const work = workAt(lane, sent.work);
  await underLease(
    batch,
    signal,
    parts,
    async (page) => {
      page.turns = turnsOf(work);
      sending.handOver(lane, page);
      await sending.lanes.ended([lane]);
      const delivered = sending.delivered(lane.pushOrigin);
      const to = endOfApart(batch, work, lane);
      await writePage({ batch, work, delivered, to, splits: [] }, signal, parts);
      await settle(batch, [lane], sent, parts);
    },
    from,
  );
}

/** What is known of these push origins from now on: by all that has come of this page there. */
async function settle(
  { vapidKeyId }: Batch,
  lanes: readonly Lane[],
  { sending, evidence, madeUp }: Sent,
  parts: TurnParts,
): Promise<void> {
  for (const { pushOrigin } of lanes) {
    const own = evidenceAt(evidence)(pushOrigin);
    own.pageEnded();
    await parts.breakers.openIf({ pushOrigin, vapidKeyId }, own);
    await giveUpIf(pushOrigin, sending.delivered(pushOrigin), madeUp, parts);
  }
}

function turnsOf({ retries, walk }: Work) {
  return [...retries, ...walk];
}

async function evidenceOfAll(
  { vapidKeyId }: Batch,
  work: Work,
  { breakers }: TurnParts,
): Promise<Map<string, Evidence>> {
  const found = new Map<string, Evidence>();
  for (const { recipient } of turnsOf(work)) {
    const { pushOrigin } = recipient;
    if (found.has(pushOrigin)) continue;
    found.set(pushOrigin, await breakers.evidence({ pushOrigin, vapidKeyId }));
  }
  return found;
}

function evidenceAt(evidence: ReadonlyMap<string, Evidence>): (pushOrigin: string) => Evidence {
  return (pushOrigin) => {
    const found = evidence.get(pushOrigin);
    if (found === undefined) throw new Error("a page has evidence of each of its push origins");
    return found;
  };
}

/** One wrong registration may be refused. Once so many meet the same trouble, it is the push service's. */
const enoughTrouble = 2;

/** What comes of these pushes decides, nothing that is known from before. */
async function sendProbe(
  there: PushOriginKey,
  batch: Batch,
  work: Work,
  { asked, beside }: Probe,
  page: UnderWay,
  signal: AbortSignal,
  parts: TurnParts,
): Promise<void> {
  const { pushOrigin } = there;
  page.turns = turnsOf(work);
  const probed: Probed[] = [];
  const send: SendPush = async (message, recipient, endsAtMs) => {
    const outcome = await parts.send(message, recipient, endsAtMs);
    const known = beside && work.walk.length > 0 && recipient.refusedAtMs !== null;
    probed.push({ outcome, known });
    return outcome;
  };
  // Where many are asked because they may be wrong themselves, no more are once it is the push service's trouble.
  const patience = {
    throttled: beside ? enoughTrouble : asked,
    unavailable: beside ? enoughTrouble : asked,
    "vapid-refused": asked,
    "refuses-all": asked,
  };
  const evidence = createEvidence(pushServiceOf(pushOrigin), false, patience);
  const slots = {
    concurrency: Math.min(parts.concurrency, asked),
    unprovenSlots: Math.min(parts.unprovenSlots, asked),
  };
  const madeUp = await madeUpAmong(await evidenceOfAll(batch, work, parts), parts);
  const whole = { ...work, madeUp, turns: page.turns, isProbe: true };
  const sending = sendPage(whole, () => evidence, page, { ...parts, ...slots, send });
  await sending.lanes.ended();
  const ends = { slow: [], endsEarly: true, leaseUntilMs: 0 };
  const { to, splits } = endOf(batch, work, sending.lanes.all, ends);
  const delivered = sending.delivered(pushOrigin);
  await writePage({ batch, work, delivered, to, splits }, signal, parts);
  await parts.breakers.settleProbe(there, probed);
  await giveUpIf(pushOrigin, delivered, madeUp, parts);
}
