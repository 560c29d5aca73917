/**
 * Browsers that come, move and leave while messages are being delivered by servers that may be killed, on one
 * database. What must be true of it stands in delivery-model.ts.
 */
import { expect } from "vitest";
import type { Batch, Delivered, DueRetry, MessageTarget, Recipient, Store } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { findMessage } from "./delivering.ts";
import {
  checkEnd,
  checkFigures,
  kinds,
  newlyTold,
  type Browser,
  type Place,
  type Told,
} from "./delivery-model.ts";
import {
  deliveredOf,
  inFlight,
  lose,
  notInAudience,
  part,
  sentBy,
  type Parting,
  type Turn,
} from "./delivery-parting.ts";

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

  /** Another connection every time. */
  function store(): Store {
    steps += 1;
    const next = stores[steps % stores.length];
    if (next === undefined) throw new Error("a world needs a store");
    return next;
  }

  /** It goes from the audience of these messages, or comes into it. */
  function unsettle(browser: Browser, of: readonly Told[] = messages): void {
    for (const told of of) told.steady.delete(browser.id);
  }

  async function register(place: Place): Promise<void> {
    const token = await bench.add(place);
    const id = browsers.length + 1;
    const state = { generation: 1, live: true, left: false, inTopic: false };
    browsers.push({ ...place, ...state, id, token });
  }

  /** Every other time one to which a push is on its way. */
  function pickBrowser(index: number): Browser | undefined {
    const id = index % 2 === 0 ? undefined : pick(turns.flatMap(inFlight), index);
    return id === undefined ? pick(browsers, index) : browsers[id - 1];
  }

  async function move(
    who: number | Browser | undefined,
    place: Place,
    kind: "renew" | "refresh",
  ): Promise<void> {
    const browser = typeof who === "number" ? pickBrowser(who) : who;
    if (browser === undefined || browser.left || (kind === "refresh" && !browser.live)) return;
    const { id } = browser;
    const to = kind === "renew" ? place : { ...place, pushOrigin: browser.pushOrigin };
    const candidate = bench.candidate({ ...to, vapidKeyId });
    await store().registrations.register(candidate, () => ({ kind, id }), nowMs);
    for (const turn of turns) if (inFlight(turn).includes(id)) turn.told.mayRepeat.add(id);
    for (const told of messages) if (!told.isFor(browser)) told.strayed.add(id);
    Object.assign(browser, to, { live: true });
    if (kind === "renew") browser.generation += 1;
  }

  /** One that a push service has said to be gone. */
  async function comeBack(who: number, place: Place): Promise<void> {
    const gone = browsers.filter(({ live, left }) => !live && !left);
    await move(pick(gone, who), place, "renew");
  }

  async function leave(who: number): Promise<void> {
    const browser = pickBrowser(who);
    if (browser === undefined || browser.left) return;
    await store().registrations.leave(browser.id, nowMs);
    Object.assign(browser, { live: false, left: true, inTopic: false });
    unsettle(browser);
    // Nothing of it may be needed any more, whatever is on its way there. One that is gone may come back.
    if (browsers.some(({ live, left }) => !live && !left)) return;
    await store().retention.removeEnded(Number.MAX_SAFE_INTEGER, 1_000);
  }

  /** Out of the topic, to another place, and into it again; or the other way round. */
  async function wander(who: number, place: Place): Promise<void> {
    const browser = pickBrowser(who);
    if (browser === undefined) return;
    await changeTopic(browser);
    await move(browser, place, "renew");
    await changeTopic(browser);
  }

  async function changeTopic(who: number | Browser): Promise<void> {
    const browser = typeof who === "number" ? pickBrowser(who) : who;
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
    const localTime = local ? "1970-01-01T00:00:10" : null;
    // Told in advance, so that a history can be played again.
    const id = `message ${String(messages.length).padStart(4, "0")}`;
    const message = bench.message({ id, target, ttlSeconds, scheduledAtMs: 10_000, localTime });
    await store().messages.publish(message, 10_000);
    messages.push(newlyTold(message.id, isFor));
  }

  async function plan(keys: number): Promise<boolean> {
    const { delivery } = store();
    const message = await delivery.nextToPlan(nowMs);
    if (message === null) return false;
    if (message.state === "sending") return delivery.planPart(message, { keys, dueAt }, nowMs);
    if (!(await delivery.startSending(message.id, nowMs))) return false;
    const told = messages.find(({ id }) => id === message.id);
    for (const browser of browsers) {
      if (browser.live && told?.isFor(browser)) told.steady.add(browser.id);
    }
    return true;
  }

  /** A server leases a batch and reads a page of it. @param which of the destinations that have something to do */
  async function begin(limit: number, which: number): Promise<boolean> {
    const { delivery } = store();
    // A server that was killed comes back under another name.
    const owner = `server ${servers} ${steps % 2}`;
    await delivery.freeEndedLeases(owner, nowMs);
    const at = pick(await delivery.readyDestinations(nowMs), which);
    if (at === undefined) return false;
    const id = pick(await delivery.readyMessages(at, nowMs), which);
    if (id === undefined) throw new Error("a destination is ready that has nothing to do");
    const leased = await delivery.lease(at, id, { owner, untilMs: nowMs + leaseMs }, nowMs);
    const batch = leased && (await delivery.splitOff(leased, owner));
    if (batch === null) throw new Error("what is ready cannot be leased");
    await read(batch, owner, limit);
    return true;
  }

  /** The same at a push origin that a breaker holds. */
  async function probe(limit: number, which: number): Promise<void> {
    const { delivery } = store();
    const owner = `server ${servers} ${steps % 2}`;
    const at = pick(await delivery.dueProbes(nowMs, 10), which);
    if (at === undefined) return;
    const batch = await delivery.leaseHeld(at, { owner, untilMs: nowMs + leaseMs }, nowMs);
    if (batch === null) throw new Error("what is to be probed cannot be leased");
    await read(batch, owner, limit);
  }

  async function read(batch: Batch, owner: string, limit: number): Promise<void> {
    const on = store();
    const message = await findMessage(bench, batch.messageId);
    const told = messages.find(({ id }) => id === message.id);
    if (told === undefined) throw new Error("nobody has published this message");
    const due = await on.delivery.dueRetries(batch, message, nowMs, limit);
    const out = due.filter(({ recipient }) => recipient === null);
    // Whoever stays in the audience is tried again, wherever the push origin has gone meanwhile.
    expect(out.filter(({ registrationId: id }) => told.steady.has(id))).toEqual([]);
    const page = await on.delivery.batchPage(batch, message, limit);
    const to = page.length < limit ? batch.lastId : (page.at(-1)?.registrationId ?? batch.lastId);
    turns.push({ store: on, owner, batch, told, page, due, to });
  }

  /**
   * Sends what is in flight, and writes what came of it.
   * @param partings by push origin, in the order of the page
   */
  async function end(
    which: number,
    outcomeOf: (id: number) => Delivered["kind"],
    partings: readonly Parting[] = [],
  ): Promise<void> {
    const turn = pick(turns, which);
    if (turn === undefined) return;
    turns.splice(turns.indexOf(turn), 1);
    const { batch, owner, told, page, due } = turn;
    const parted = part(turn, partings, nowMs + leaseMs);
    const send = (to: Recipient) => deliveredOf(to, outcomeOf(to.registrationId), nowMs);
    const walked = page.filter(parted.isSent).map(send);
    const again = due.filter(({ recipient }) => recipient === null || parted.isSent(recipient));
    const retried = again.map(({ registrationId, pushOrigin, attempts, recipient }) => ({
      attempts,
      delivered: recipient === null ? notInAudience(registrationId, pushOrigin) : send(recipient),
    }));
    const unmoved = await withdrawnBy(again);
    const { splits, to } = parted;
    const written = await turn.store.delivery.checkpoint(
      { batch, owner, to, walked, retried, splits },
      nowMs,
    );
    const pushed = [
      ...walked,
      ...retried.filter((_, index) => again[index]?.recipient).map(({ delivered }) => delivered),
    ];
    for (const { registrationId: id, kind } of pushed) {
      if (kind !== "accepted") continue;
      told.acceptedTimes.set(id, (told.acceptedTimes.get(id) ?? 0) + 1);
    }
    for (const [index, slow] of parted.slow.entries()) {
      const child = written?.splits[index] ?? null;
      const own = { ...turn, page: page.filter(slow), due: due.filter(sentBy(slow)), to: turn.to };
      // Nothing that comes of it is written.
      if (child === null) lose(own);
      else turns.push({ ...own, batch: child });
    }
    if (written === null) {
      lose(turn);
      return;
    }
    for (const kind of kinds) told.written[kind] += written.counts[kind];
    for (const id of unmoved) told.strayed.add(id);
    for (const { registrationId: id, generation, kind } of pushed) {
      told.sent.add(id);
      if (kind === "accepted") told.accepted.add(id);
      const browser = browsers[id - 1];
      if (kind === "gone" && browser?.generation === generation && browser.live) {
        browser.live = false;
        unsettle(browser);
      }
    }

    /** Who moved, was not sent to at the new place yet, and is not in the audience any more. */
    async function withdrawnBy(retries: readonly DueRetry[]): Promise<number[]> {
      const { exceptions } = await bench.store.messages.exceptions(told.id, {
        afterId: 0,
        limit: 10_000,
      });
      const moved = new Set(
        exceptions.filter(({ reason }) => reason === "moved").map((each) => each.registrationId),
      );
      return retries.flatMap(({ registrationId: id, recipient }) =>
        recipient === null && moved.has(id) ? [id] : [],
      );
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
    const said = {
      reason: "unavailable",
      detail: "",
      openedAtMs: nowMs,
      probeAtMs: nowMs,
    } as const;
    if (!(await breakers.open({ ...at, ...said }))) await breakers.close(at);
    await delivery.pauseHeld();
    await delivery.resumeFreed();
  }

  async function pass(milliseconds: number): Promise<void> {
    nowMs += milliseconds;
    await store().delivery.finishMessages(nowMs);
    await store().delivery.expireBatches(nowMs);
    await store().retention.removeBatches(3);
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
    if (!(await begin(3, 0))) return false;
    await end(0, () => "accepted");
    return true;
  }

  return {
    register,
    move,
    comeBack,
    leave,
    changeTopic,
    wander,
    publish,
    plan,
    begin,
    probe,
    end,
    kill,
    hang,
    cancel,
    toggleBreaker,
    pass,
    drain,
    checkFigures: () => checkFigures(bench, messages, nowMs),
    checkEnd: () => checkEnd(bench, messages, nowMs),
  };
}

function pick<Item>(from: readonly Item[], index: number): Item | undefined {
  return from[index % Math.max(1, from.length)];
}

/** Each at another time, but for two time zones whose names are of the same length. */
function dueAt(timeZone: string | null): number {
  return 10_000 + (timeZone?.length ?? 1) * 100;
}
