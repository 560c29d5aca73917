/**
 * Browsers that come, move and leave while messages are being delivered by servers that may be killed, on one
 * database; and what must be true of it in the end, kept in plain maps beside the store.
 */
import { expect } from "vitest";
import type { Delivered, Message, MessageTarget, OutcomeCounts, Store } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { findMessage, leaseNext, recountReasons, refused } from "./delivering.ts";

export type Place = { pushOrigin: string; timeZone: string | null };

type Browser = Place & {
  id: number;
  token: string;
  generation: number;
  live: boolean;
  left: boolean;
  inTopic: boolean;
};

type Told = {
  id: string;
  isFor: (browser: Browser) => boolean;
  /** In the audience ever since sending started. */
  steady: Set<number>;
  written: OutcomeCounts;
};

type Turn = {
  store: Store;
  owner: string;
  batch: NonNullable<Awaited<ReturnType<typeof leaseNext>>>;
  page: Awaited<ReturnType<Store["delivery"]["batchPage"]>>;
  due: Awaited<ReturnType<Store["delivery"]["dueRetries"]>>;
  limit: number;
  /** Who has moved to another push service since it began: what comes of their push here does not count. */
  movedAway: Set<number>;
};

export type World = Awaited<ReturnType<typeof createWorld>>;

const leaseMs = 60_000;
const ttlSeconds = 28 * 24 * 60 * 60;

/** @param stores several connections to the same database */
export async function createWorld(bench: ContractBench, stores: readonly Store[]) {
  const { projectId, vapidKeyId } = bench;
  await bench.store.topics.add(projectId, { name: "news", policy: "open" }, 1);
  const topicId = (await bench.store.topics.find(projectId, "news"))?.id ?? 0;
  const browsers: Browser[] = [];
  const messages: Told[] = [];
  const turns: Turn[] = [];
  let nowMs = 10_000;
  let steps = 0;
  let servers = 0;

  /** By message and registration. */
  const sent = new Set<string>();
  const acceptedTimes = new Map<string, number>();
  const settled = new Set<string>();
  /** Who was sent to by a page that was lost, or moved while it was on its way; and the unsteady. */
  const mayRepeat = new Set<string>();
  /** Who was out of the audience for a while, and may have had a turn before that and another one after it. */
  const unsteady = new Set<string>();

  /** Another connection every time. */
  function store(): Store {
    steps += 1;
    const next = stores[steps % stores.length];
    if (next === undefined) throw new Error("a world needs a store");
    return next;
  }

  /** It goes from the audience of these messages, or comes into it. */
  function unsettle(browser: Browser, of: readonly Told[] = messages): void {
    for (const told of of) {
      told.steady.delete(browser.id);
      mayRepeat.add(pair(told.id, browser.id));
      unsteady.add(pair(told.id, browser.id));
    }
  }
  function inFlight({ page, due }: Turn): number[] {
    return [...page, ...due].map(({ registrationId }) => registrationId);
  }
  function lose(turn: Turn): void {
    for (const id of inFlight(turn)) {
      sent.add(pair(turn.batch.messageId, id));
      mayRepeat.add(pair(turn.batch.messageId, id));
    }
  }

  async function register(place: Place): Promise<void> {
    const token = await bench.add(place);
    const id = browsers.length + 1;
    browsers.push({
      ...place,
      id,
      token,
      generation: 1,
      live: true,
      left: false,
      inTopic: false,
    });
  }

  /** Every other time one to which a push is on its way. */
  function pickBrowser(index: number): Browser | undefined {
    const id = index % 2 === 0 ? undefined : pick(turns.flatMap(inFlight), index);
    return id === undefined ? pick(browsers, index) : browsers[id - 1];
  }

  async function move(who: number, place: Place, kind: "renew" | "refresh"): Promise<void> {
    const browser = pickBrowser(who);
    if (browser === undefined || browser.left || (kind === "refresh" && !browser.live)) return;
    const { id } = browser;
    const to = kind === "renew" ? place : { ...place, pushOrigin: browser.pushOrigin };
    const candidate = bench.candidate({ ...to, vapidKeyId });
    await store().registrations.register(candidate, () => ({ kind, id }), nowMs);
    for (const turn of turns) {
      if (!inFlight(turn).includes(id)) continue;
      mayRepeat.add(pair(turn.batch.messageId, id));
      if (to.pushOrigin !== turn.batch.pushOrigin) turn.movedAway.add(id);
      // There and back: its retry is where it was.
      else if (turn.batch.lastId === 0) turn.movedAway.delete(id);
    }
    Object.assign(browser, to, { live: true });
    if (kind === "renew") browser.generation += 1;
  }

  async function leave(who: number): Promise<void> {
    const browser = pickBrowser(who);
    if (browser === undefined || browser.left) return;
    await store().registrations.leave(browser.id, nowMs);
    Object.assign(browser, { live: false, left: true, inTopic: false });
    unsettle(browser);
  }

  async function changeTopic(who: number): Promise<void> {
    const browser = pickBrowser(who);
    if (browser === undefined || browser.left) return;
    const change = browser.inTopic ? "leave" : "join";
    await store().topics.changeMany({ projectId, topicId }, change, [browser.token], nowMs);
    browser.inTopic = !browser.inTopic;
    unsettle(
      browser,
      messages.filter(
        ({ isFor }) => isFor({ ...browser, inTopic: !browser.inTopic }) !== isFor(browser),
      ),
    );
  }

  async function publish(kind: "all" | "topic" | "condition" | "tokens", local: boolean) {
    const some = browsers.filter(({ id }) => id % 2 === 0).map(({ token }) => token);
    if (kind === "tokens" && some.length === 0) return;
    const targets: Record<typeof kind, [MessageTarget, Told["isFor"]]> = {
      all: [{ kind: "all" }, () => true],
      topic: [{ kind: "topic", topic: "news" }, ({ inTopic }) => inTopic],
      condition: [
        { kind: "condition", condition: "!('news' in topics)" },
        ({ inTopic }) => !inTopic,
      ],
      tokens: [{ kind: "tokens", tokens: some }, ({ token }) => some.includes(token)],
    };
    const [target, isFor] = targets[kind];
    const message = bench.message({
      target,
      ttlSeconds,
      scheduledAtMs: 10_000,
      localTime: local ? "1970-01-01T00:00:10" : null,
    });
    await store().messages.publish(message, 10_000);
    const written = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };
    messages.push({ id: message.id, isFor, steady: new Set(), written });
  }

  async function plan(keys: number): Promise<boolean> {
    const { delivery } = store();
    const message = await delivery.nextToPlan(nowMs);
    if (message === null) return false;
    if (message.state === "sending") {
      return delivery.planPart(message, { keys, dueAt }, nowMs);
    }
    if (!(await delivery.startSending(message.id, nowMs))) return false;
    const told = messages.find(({ id }) => id === message.id);
    for (const browser of browsers) {
      if (browser.live && told?.isFor(browser)) told.steady.add(browser.id);
    }
    return true;
  }

  async function begin(limit: number): Promise<boolean> {
    const on = store();
    // A server that was killed comes back under another name.
    const owner = `server ${servers} ${steps % 2}`;
    const batch = await leaseNext(on, nowMs, { owner });
    if (batch === null) return false;
    const message = await findMessage(bench, batch.messageId);
    const due = await on.delivery.dueRetries(batch, message, nowMs, limit);
    const page = await on.delivery.batchPage(batch, message, limit);
    turns.push({ store: on, owner, batch, page, due, limit, movedAway: new Set() });
    return true;
  }

  /** Sends what is in flight, and writes what came of it. */
  async function end(which: number, outcomeOf: (id: number) => Delivered["kind"]): Promise<void> {
    const turn = pick(turns, which);
    if (turn === undefined) return;
    turns.splice(turns.indexOf(turn), 1);
    const { batch, owner, page, due, limit } = turn;
    const send = ({ registrationId, generation }: { registrationId: number; generation: number }) =>
      deliveredOf(registrationId, generation, outcomeOf(registrationId), nowMs);
    const walked = page.map(send);
    const retried = due.map(({ registrationId, attempts, recipient }) => ({
      attempts,
      delivered:
        recipient === null ? refused(registrationId, "failed", "not-in-audience") : send(recipient),
    }));
    const to = page.length < limit ? batch.lastId : (page.at(-1)?.registrationId ?? batch.lastId);
    const checkpoint = { batch, owner, to, walked, retried };
    const written = await turn.store.delivery.checkpoint(checkpoint, nowMs);
    const pushed = [
      ...walked,
      ...retried.filter((_, index) => due[index]?.recipient).map(({ delivered }) => delivered),
    ];
    for (const { registrationId, kind } of pushed) {
      const key = pair(batch.messageId, registrationId);
      sent.add(key);
      if (kind === "accepted") acceptedTimes.set(key, (acceptedTimes.get(key) ?? 0) + 1);
    }
    if (written === null) {
      lose(turn);
      return;
    }
    const told = messages.find(({ id }) => id === batch.messageId);
    for (const kind of kinds) {
      if (told !== undefined) told.written[kind] += written.counts[kind];
    }
    for (const { registrationId, generation, kind } of pushed) {
      const browser = browsers[registrationId - 1];
      if (kind === "gone" && browser?.generation === generation && browser.live) {
        browser.live = false;
        unsettle(browser);
      }
      if (kind === "retry" || kind === "gone" || turn.movedAway.has(registrationId)) continue;
      settled.add(pair(batch.messageId, registrationId));
    }
  }

  /** The servers are killed, and one comes back that knows it is alone. */
  async function kill(): Promise<void> {
    for (const turn of turns.splice(0)) lose(turn);
    servers += 1;
    await store().delivery.releaseAll();
  }

  /** A server hangs for longer than its lease; it may well come back with what it has sent. */
  function hang(): void {
    nowMs += leaseMs;
    servers += 1;
  }

  async function cancel(which: number): Promise<void> {
    const told = pick(messages, which);
    if (told === undefined) return;
    if (await store().messages.cancel(projectId, told.id, nowMs)) told.steady.clear();
  }

  async function toggleBreaker(pushOrigin: string): Promise<void> {
    const { breakers, delivery } = store();
    const at = { pushOrigin, vapidKeyId };
    const opened = await breakers.open({
      ...at,
      reason: "unavailable",
      detail: "",
      openedAtMs: nowMs,
      // Later than anything here.
      probeAtMs: nowMs * 1_000,
    });
    if (!opened) await breakers.close(at);
    await delivery.pauseHeld();
    await delivery.resumeFreed();
  }

  async function pass(milliseconds: number): Promise<void> {
    nowMs += milliseconds;
    await store().delivery.finishMessages(nowMs);
    await store().delivery.expireBatches(nowMs);
  }

  /** What must hold at every moment. */
  async function checkFigures(): Promise<void> {
    let retries = 0;
    for (const told of messages) {
      const message = await findMessage(bench, told.id);
      const progress = await bench.store.messages.progress(told.id);
      const sum = (figure: (each: (typeof progress)[number]) => number) =>
        progress.reduce((soFar, each) => soFar + figure(each), 0);
      expect(sum(({ planned }) => planned)).toBe(message.plannedCount);
      for (const kind of kinds) {
        expect(sum(({ counts }) => counts[kind])).toBe(message.counts[kind]);
        expect(message.counts[kind]).toBeGreaterThanOrEqual(0);
      }
      expect(await bench.store.messages.reasons(told.id)).toEqual(
        await recountReasons(bench.store, told.id),
      );
      expect(total(message)).toBeLessThanOrEqual(message.plannedCount);
      if (message.state === "sending" || message.state === "paused")
        retries += message.counts.retry;
      for (const kind of ["accepted", "gone", "rejected"] as const) {
        expect(message.counts[kind]).toBe(told.written[kind]);
      }
    }
    expect((await bench.store.delivery.queue(nowMs)).retries).toBe(retries);
  }

  /** Everything is well again, and all that is left is delivered. */
  async function drain(pushOrigins: readonly string[]): Promise<void> {
    for (const turn of turns.splice(0)) lose(turn);
    nowMs += leaseMs;
    servers += 1;
    for (const pushOrigin of pushOrigins) {
      await store().breakers.close({ pushOrigin, vapidKeyId });
    }
    await store().delivery.resumeFreed();
    let worked = 0;
    for (let idle = 0; idle < 20; idle += 1) {
      while ((await plan(3)) || (await deliverOne())) {
        idle = 0;
        worked += 1;
        // More than there can be to do: it goes round in circles.
        expect(worked).toBeLessThan(10_000);
      }
      await pass(1_000);
    }
  }

  async function deliverOne(): Promise<boolean> {
    if (!(await begin(3))) return false;
    await end(0, () => "accepted");
    return true;
  }

  /** What must hold in the end. */
  async function checkEnd(): Promise<void> {
    await checkFigures();
    expect(await bench.store.delivery.queue(nowMs)).toMatchObject({ openBatches: 0, retries: 0 });
    const overdue = [...acceptedTimes].filter(([key, times]) => times > 1 && !mayRepeat.has(key));
    expect(overdue).toEqual([]);
    for (const told of messages) {
      const message = await findMessage(bench, told.id);
      expect(message.counts.retry).toBe(0);
      const missed = [...told.steady].filter((id) => !settled.has(pair(told.id, id)));
      expect(missed).toEqual([]);
      if (message.state === "cancelled") continue;
      expect(message.state).toBe("done");
      expect(message.counts.failed).toBe(told.written.failed);
      const sentTo = browsers.filter(({ id }) => sent.has(pair(told.id, id)));
      const twice = sentTo.filter(({ id }) => unsteady.has(pair(told.id, id)));
      expect(total(message)).toBeLessThanOrEqual(sentTo.length + twice.length);
      expect(total(message)).toBeGreaterThanOrEqual(told.steady.size);
    }
  }

  return {
    register,
    move,
    leave,
    changeTopic,
    publish,
    plan,
    begin,
    end,
    kill,
    hang,
    cancel,
    toggleBreaker,
    pass,
    checkFigures,
    drain,
    checkEnd,
  };
}

const kinds = ["accepted", "gone", "retry", "rejected", "failed"] as const;

function pair(messageId: string, id: number): string {
  return `${messageId} ${id}`;
}

function pick<Item>(from: readonly Item[], index: number): Item | undefined {
  return from[index % Math.max(1, from.length)];
}

/** Each at another time, but for two time zones whose names are of the same length. */
function dueAt(timeZone: string | null): number {
  return 10_000 + (timeZone?.length ?? 1) * 100;
}

function total({ counts }: Pick<Message, "counts">): number {
  return counts.accepted + counts.gone + counts.retry + counts.rejected + counts.failed;
}

function deliveredOf(
  registrationId: number,
  generation: number,
  kind: Delivered["kind"],
  nowMs: number,
): Delivered {
  const to = { registrationId, generation };
  if (kind === "accepted" || kind === "gone") return { ...to, kind };
  const why = { reason: kind, detail: "" };
  if (kind !== "retry") return { ...to, kind, ...why };
  const counted = registrationId % 3 > 0;
  return { ...to, kind, ...why, dueAtMs: nowMs + 10 * registrationId, counted };
}
