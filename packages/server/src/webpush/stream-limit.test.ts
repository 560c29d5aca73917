import { setTimeout } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accept, closed, count, sendingScene } from "./testing/scene.ts";
import { startRawPushService, type RawPeer } from "./testing/raw-http2.ts";
import { sendTo } from "./testing/sending.ts";

const { certificates, start, startRaw } = sendingScene();

/** A push service that answers nothing by itself, and whose requests can be waited for. */
async function holding(allowed: number, requestMs: number) {
  const awaited: { requests: number; resolve: (peer: RawPeer) => void }[] = [];
  const started = await startRaw(
    {
      allowed,
      onRequest: (peer) => {
        for (const each of awaited) if (peer.requests.length >= each.requests) each.resolve(peer);
      },
    },
    { deadlines: { requestMs } },
  );
  return {
    ...started,
    /** Resolves when so many requests have arrived on the first connection. */
    arrived: (requests: number): Promise<RawPeer> =>
      new Promise((resolve) => {
        const [peer] = started.service.peers;
        if (peer !== undefined && peer.requests.length >= requests) resolve(peer);
        else awaited.push({ requests, resolve });
      }),
  };
}

describe("MAX_CONCURRENT_STREAMS", () => {
  test.each([1, 3])("of %i is never exceeded, and one connection is enough", async (allowed) => {
    const { service, sendMany } = await startRaw({
      allowed,
      onRequest: (peer, stream) => {
        setImmediate(peer.answer, stream, 201);
      },
    });
    // As many as a page of an audience: none is turned away for waiting.
    expect(count(await sendMany(200))).toEqual({ accepted: 200 });
    expect(service.peers.map((peer) => peer.peak())).toEqual([allowed]);
  });

  test("that is not said is taken for 256", async () => {
    const { service, sendMany } = await startRaw({
      allowed: null,
      onRequest: (peer) => {
        if (peer.requests.length < 256) return;
        for (const each of peer.requests) peer.answer(each, 201);
      },
    });
    expect(count(await sendMany(256))).toEqual({ accepted: 256 });
    expect(service.peers.map((peer) => peer.peak())).toEqual([256]);
  });

  test("that shrinks to 1 under 10 in flight and 50 waiting is obeyed from then on", async () => {
    const { service, sendMany, arrived } = await holding(10, 30_000);
    const outcomes = sendMany(60);
    const peer = await arrived(10);
    await peer.allow(1);
    for (const stream of peer.requests) peer.answer(stream, 201);
    for (let next = 11; next <= 60; next += 1) {
      await arrived(next);
      if (next === 11) peer.forgetPeak();
      peer.answer(peer.requests.at(-1) ?? 0, 201);
    }
    expect(count(await outcomes)).toEqual({ accepted: 60 });
    expect(peer.peak()).toBe(1);
    expect(peer.excess()).toBe(0);
    expect(service.peers).toHaveLength(1);
  });

  test("that shrinks to 0 stops what waits until its deadline, not what is in flight", async () => {
    const { service, sendMany, arrived } = await holding(4, 500);
    const outcomes = sendMany(10);
    const peer = await arrived(4);
    await peer.allow(0);
    for (const stream of peer.requests) peer.answer(stream, 201);
    expect(count(await outcomes)).toEqual({ accepted: 4, "retry queue-timed-out": 6 });
    expect(peer.requests).toHaveLength(4);
    expect(service.peers).toHaveLength(1);
  });

  test("that goes to 0 and back up lets what waits go on", async () => {
    const { service, sendMany, arrived } = await holding(4, 30_000);
    const outcomes = sendMany(10);
    const peer = await arrived(4);
    await peer.allow(0);
    for (const stream of peer.requests) peer.answer(stream, 201);
    await peer.allow(2);
    for (const next of [6, 8, 10]) {
      await arrived(next);
      for (const stream of peer.requests.slice(-2)) peer.answer(stream, 201);
    }
    expect(count(await outcomes)).toEqual({ accepted: 10 });
    expect(peer.excess()).toBe(0);
    expect(service.peers).toHaveLength(1);
  });

  test("of 0 from the start makes a push wait until it grows", async () => {
    const { service, send } = await startRaw({
      allowed: 0,
      onConnection: (peer) => void peer.allow(1),
      onRequest: (peer, stream) => {
        peer.answer(stream, 201);
      },
    });
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.peers).toHaveLength(1);
  });

  test("that stays 0 for a whole deadline makes the sender open a new connection", async () => {
    const { service, send } = await startRaw(
      {
        allowed: 1,
        onRequest: (peer, stream) => {
          peer.answer(stream, 201);
        },
      },
      { deadlines: { requestMs: 300 } },
    );
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    await service.peers[0]?.allow(0);
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.peers).toHaveLength(2);
  });

  test("that is always 0 makes it open one connection in a deadline, not one for each push", async () => {
    const requestMs = 300;
    const { service, send } = await startRaw({ allowed: 0 }, { deadlines: { requestMs } });
    const first = send();
    await setTimeout(requestMs / 2);
    const second = send();
    // The first ends the connection that both waited for. The second does not end the next one.
    const outcomes = [await first, await second, await send()];
    expect(count(outcomes)).toEqual({ "retry queue-timed-out": 3 });
    expect(service.peers).toHaveLength(2);
  });

  test("that stays 0 till pushes are late: each that still begins gets its answer", async () => {
    const requestMs = 2_000;
    const answerMs = 200;
    const { service, send } = await startRaw(
      {
        allowed: 0,
        onRequest: (peer, stream) => void setTimeout(answerMs).then(() => peer.answer(stream, 201)),
        onConnection: (peer) => {
          if (service.peers.length > 1) void peer.allow(100);
        },
      },
      { deadlines: { requestMs } },
    );
    // The first one's deadline makes the sender open a new connection, on which the later ones can go.
    const pushes = [];
    for (let sent = 0; sent < 20; sent += 1) {
      pushes.push(send());
      await setTimeout(20);
    }
    await setTimeout(requestMs / 4);
    pushes.push(send());
    const counts = count(await Promise.all(pushes));
    const { accepted = 0, "retry queue-timed-out": unsent = 0 } = counts;
    expect(accepted + unsent).toBe(21);
    expect(service.peers[1]?.requests).toHaveLength(accepted);
    expect(accepted).toBeGreaterThan(0);
  });

  test("of 0 does not keep a connection open", async () => {
    const { service, send } = await start(
      { settings: { maxConcurrentStreams: 0 }, onPush: accept },
      { deadlines: { requestMs: 200 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    const [session] = service.sessions;
    if (session === undefined) throw new Error("no session was opened");
    await closed(session);
    // Nor is its end taken for the push service's: the next push waits for a stream of a new connection.
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    expect(service.connections()).toBe(2);
  });

  type Step = { allow: number } | { answer: number } | { reset: number };
  const steps = fc.array(
    fc.oneof(
      fc.record({ allow: fc.nat(5) }),
      fc.record({ answer: fc.nat(3) }),
      fc.record({ reset: fc.nat(3) }),
    ),
    { maxLength: 12 },
  );

  /** Plays the steps against 25 pushes that are there at once, then lets everything through. */
  async function play(allowed: number, list: readonly Step[]) {
    const open: number[] = [];
    let over = false;
    const { promise: connected, resolve } = Promise.withResolvers<RawPeer>();
    const service = await startRawPushService({
      certificates: certificates(),
      allowed,
      onConnection: resolve,
      onRequest: (peer, stream) => {
        if (over) peer.answer(stream, 201);
        else open.push(stream);
      },
    });
    const { sender, sendMany } = sendTo(service.port, certificates());
    const outcomes = sendMany(25);
    const peer = await connected;
    for (const step of list) {
      if ("allow" in step) await peer.allow(step.allow);
      else if ("answer" in step)
        for (const each of open.splice(0, step.answer)) peer.answer(each, 201);
      else for (const each of open.splice(0, step.reset)) peer.reset(each, 7);
    }
    over = true;
    for (const each of open) peer.answer(each, 201);
    await peer.allow(3);
    const counts = count(await outcomes);
    await sender.close();
    await service.close();
    return { counts, excess: peer.excess(), connections: service.peers.length };
  }

  test("is never exceeded, however it moves while streams end and are refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(5), steps, async (allowed, list) => {
        const { counts, excess, connections } = await play(allowed, list);
        expect(excess).toBe(0);
        expect(connections).toBe(1);
        const { accepted = 0, "retry stream-refused": refused = 0 } = counts;
        expect(accepted + refused).toBe(25);
      }),
      { numRuns: 30 },
    );
  });
});
