import { describe, expect, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import { pingFrame, type RawPeer } from "./testing/raw-http2.ts";
import { accept, closed, count, flood, sendingScene } from "./testing/scene.ts";

const { start, startRaw } = sendingScene();

/** RFC 9113, section 7. */
const codes = {
  none: 0,
  internal: 2,
  refused: 7,
  cancel: 8,
  calm: 11,
} as const;

describe("a stream that breaks", () => {
  test.each([
    ["INTERNAL_ERROR", codes.internal],
    ["CANCEL", codes.cancel],
    ["ENHANCE_YOUR_CALM", codes.calm],
    ["NO_ERROR, without an answer", codes.none],
  ])("by %s may have been accepted, so that it is not sent again at once", async (_name, code) => {
    const { service, send } = await startRaw({
      onRequest: (peer, stream) => {
        peer.reset(stream, code);
      },
    });
    expect(await send()).toMatchObject({
      kind: "retry",
      reason: "stream-broken",
      notBefore: null,
    });
    expect(await send()).toMatchObject({ kind: "retry", reason: "stream-broken" });
    expect(service.peers.map((peer) => peer.requests)).toEqual([[1, 3]]);
  });

  test("with its connection may have been accepted; what waits goes over a new one", async () => {
    let broken = false;
    const { service, send, sendMany } = await start({
      settings: { maxConcurrentStreams: 5 },
      onPush: (push) => {
        if (broken) accept(push);
      },
    });
    const outcomes = sendMany(8);
    const { session } = await service.arrival(4);
    broken = true;
    session.destroy();
    expect(count(await outcomes)).toEqual({ "retry stream-broken": 5, accepted: 3 });
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(service.connections()).toBe(2);
  });
});

describe("a stream that is refused", () => {
  test("once is sent again at once, on the same connection", async () => {
    const { service, send } = await startRaw({
      onRequest: (peer, stream) => {
        if (stream === 1) peer.reset(stream, codes.refused);
        else peer.answer(stream, 201);
      },
    });
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.peers.map((peer) => peer.requests)).toEqual([[1, 3]]);
  });

  test("twice is not sent a third time", async () => {
    const { service, send } = await startRaw({
      onRequest: (peer, stream) => {
        peer.reset(stream, codes.refused);
      },
    });
    expect(await send()).toMatchObject({
      kind: "retry",
      reason: "stream-refused",
      notBefore: null,
    });
    expect(service.peers.map((peer) => peer.requests)).toEqual([[1, 3]]);
  });

  test("waits for its second turn under the same deadline", async () => {
    const { service, send } = await startRaw(
      {
        allowed: 1,
        onRequest: (peer, stream) => {
          void peer.allow(0).then(() => {
            peer.reset(stream, codes.refused);
          });
        },
      },
      { deadlines: { requestMs: 500 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    expect(service.peers.map((peer) => peer.requests)).toEqual([[1]]);
  });

  test("in the last quarter of its deadline is not sent again", async () => {
    const { service, send } = await startRaw(
      {
        onRequest: (peer, stream) => {
          setTimeout(peer.reset, 850, stream, codes.refused);
        },
      },
      { deadlines: { requestMs: 1000 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    expect(service.peers.map((peer) => peer.requests)).toEqual([[1]]);
  });
});

describe("GOAWAY in the middle of a burst", () => {
  const highest = 2 ** 31 - 1;
  type Said = (peer: RawPeer, fourth: number) => void;

  /**
   * Ten pushes are under way and ten wait when the first connection says something; once the ten that waited have
   * come over the second one, the first four are answered on the first.
   */
  async function burst(say: Said) {
    let onFirst = 0;
    let onSecond = 0;
    const { service, sendMany } = await startRaw({
      allowed: 10,
      onRequest: (peer, stream, connection) => {
        const [first] = service.peers;
        if (connection === 0) {
          onFirst += 1;
          if (onFirst === 10) say(peer, peer.requests[3] ?? 0);
          return;
        }
        peer.answer(stream, 201);
        onSecond += 1;
        if (onSecond < 10) return;
        for (const each of first?.requests.slice(0, 4) ?? []) first?.answer(each, 201);
      },
    });
    return { counts: count(await sendMany(20)), service };
  }

  test.each<[string, Said, Record<string, number>]>([
    [
      "lets what was taken end, and sends the rest again over a new connection",
      (peer, fourth) => {
        peer.goAway(fourth, codes.none);
      },
      { accepted: 20 },
    ],
    [
      "said twice, first for everything, is obeyed from the first on and names what was refused with the second",
      (peer, fourth) => {
        peer.goAway(highest, codes.none);
        peer.goAway(fourth, codes.none);
      },
      { accepted: 20 },
    ],
    [
      "with an error does the same",
      (peer, fourth) => {
        peer.goAway(fourth, codes.calm);
      },
      { accepted: 20 },
    ],
    [
      "followed by the end of the connection breaks what was taken: only that may have been accepted",
      (peer, fourth) => {
        peer.goAway(fourth, codes.none);
        peer.socket.end();
      },
      { accepted: 16, "retry stream-broken": 4 },
    ],
  ])("%s", async (_what, say, counts) => {
    const burstOf20 = await burst(say);
    expect(burstOf20.counts).toEqual(counts);
    expect(burstOf20.service.peers.map((peer) => peer.requests.length)).toEqual([10, 16]);
    expect(burstOf20.service.peers.map((peer) => peer.excess())).toEqual([0, 0]);
  });

  /** What comes of ten pushes whose connection says GOAWAY with an error for all after the fourth, and what it does then. */
  async function failing(then: (peer: RawPeer) => void, closeMs: number) {
    const options = { deadlines: { closeMs } };
    const { service, sendMany } = await startRaw(
      {
        allowed: 10,
        onRequest: (peer, stream, connection) => {
          if (connection > 0) peer.answer(stream, 201);
          if (connection > 0 || peer.requests.length < 10) return;
          peer.goAway(peer.requests[3] ?? 0, codes.internal);
          then(peer);
        },
      },
      options,
    );
    return { outcomes: await sendMany(10), service };
  }
  const detail = "the push service said GOAWAY with code 2";

  test("with an error, and answers to half of what was taken: those count, and the rest is not waited for long", async () => {
    const { outcomes, service } = await failing((peer) => {
      for (const stream of peer.requests.slice(0, 2)) peer.answer(stream, 201);
    }, 50);
    expect(count(outcomes)).toEqual({ accepted: 8, "retry stream-broken": 2 });
    expect(outcomes.filter(({ kind }) => kind === "retry")).toMatchObject([{ detail }, { detail }]);
    expect(service.peers.map((peer) => peer.requests.length)).toEqual([10, 6]);
  });

  test("with an error, and a flood instead of answers: the connection is dropped before that", async () => {
    const { outcomes, service } = await failing(({ socket }) => {
      void flood(socket, Buffer.concat(Array.from({ length: 1000 }, pingFrame)));
    }, 60_000);
    expect(count(outcomes)).toEqual({ accepted: 6, "retry stream-broken": 4 });
    const [first] = service.peers;
    if (first !== undefined) await closed(first.socket);
    // What ten requests allow for, and what lies in the system's buffers.
    expect(first?.socket.bytesWritten).toBeLessThan(8 * 2 ** 20);
  });

  test("on every connection: a push is sent twice, and then said to be refused", async () => {
    const { service, sendMany } = await startRaw({
      allowed: 10,
      onRequest: (peer) => {
        if (peer.requests.length === 10) peer.goAway(0, codes.none);
      },
    });
    expect(count(await sendMany(10))).toEqual({ "retry stream-refused": 10 });
    expect(service.peers.map((peer) => peer.requests.length)).toEqual([10, 10]);
  });

  test("after each push that is then never answered: connections do not pile up", async () => {
    let open = 0;
    let peak = 0;
    const { service, sendMany } = await startRaw(
      {
        onConnection: ({ socket }) => {
          open += 1;
          peak = Math.max(peak, open);
          socket.once("close", () => {
            open -= 1;
          });
        },
        allowed: 1,
        onRequest: (peer, stream) => {
          peer.goAway(stream, codes.none);
        },
      },
      { deadlines: { requestMs: 1000 } },
    );
    const outcomes = await sendMany(30);
    expect(outcomes.every(({ kind }) => kind === "retry")).toBe(true);
    expect(peak).toBe(8);
    expect(service.peers.length).toBeLessThanOrEqual(16);
  });

  test("leaves the connection closed once its last answer is there", async () => {
    const { service, send } = await startRaw({
      onRequest: (peer, stream) => {
        peer.goAway(stream, codes.none);
        peer.answer(stream, 201);
      },
    });
    const outcomes: Outcome[] = [await send(), await send()];
    expect(count(outcomes)).toEqual({ accepted: 2 });
    await Promise.all(service.peers.map(({ socket }) => closed(socket)));
    expect(service.peers).toHaveLength(2);
  });
});
