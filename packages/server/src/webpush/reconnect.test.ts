import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { reconnectPauseMs } from "./reconnect.ts";
import { sendTo } from "./testing/sending.ts";
import { accept, count, sendingScene } from "./testing/scene.ts";

const { start, startRaw } = sendingScene();

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [0, 0],
  [1, 0],
  [2, 100],
  [3, 200],
  [4, 400],
  [5, 800],
  [6, 1600],
  [7, 2000],
  [8, 2000],
  [10_000, 2000],
])("after %i connections that came to nothing, the next waits %i ms", (fruitless, pauseMs) => {
  expect(reconnectPauseMs(fruitless)).toBe(pauseMs);
});

describe("a push service whose name is not found", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });

  /** A sender whose attempts to connect are counted, and come to nothing. */
  function nameless() {
    let attempts = 0;
    const { sender, send } = sendTo(
      0,
      { ca: "" },
      {
        policy: { hosts: [], routes: [] },
        deadlines: { idleMs: 60_000 },
        lookup: (_host, _options, callback) => {
          attempts += 1;
          callback(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), []);
        },
      },
    );
    return { sender, send, attempts: () => attempts };
  }

  test("is asked for twice at once, then after a pause; whoever comes meanwhile waits", async () => {
    const { sender, send, attempts } = nameless();
    const refusal = { kind: "retry", reason: "name-not-resolved" };
    expect(await send()).toMatchObject(refusal);
    expect(await send()).toMatchObject(refusal);
    expect(attempts()).toBe(2);
    const waiting = [send(), send(), send()];
    await vi.advanceTimersByTimeAsync(99);
    expect(attempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    for (const outcome of await Promise.all(waiting)) expect(outcome).toMatchObject(refusal);
    expect(attempts()).toBe(3);
    await sender.close();
  });

  test("is asked for at once again when nobody wanted anything of it for long", async () => {
    const { sender, send, attempts } = nameless();
    for (let turn = 0; turn < 2; turn += 1) await send();
    await vi.advanceTimersByTimeAsync(60_000);
    for (let turn = 0; turn < 2; turn += 1) await send();
    expect(attempts()).toBe(4);
    await sender.close();
  });

  test("does not keep the sender from closing", async () => {
    const { sender, send, attempts } = nameless();
    for (let turn = 0; turn < 2; turn += 1) await send();
    const waiting = send();
    await sender.close();
    expect(await waiting).toMatchObject({ kind: "retry", reason: "sender-closed" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(attempts()).toBe(2);
  });
});

describe("a push service that hangs up", () => {
  test("after each request, without an answer, is not connected to again and again", async () => {
    const { service, sendMany } = await startRaw(
      {
        allowed: 1,
        onRequest: (peer) => {
          peer.socket.destroy();
        },
      },
      { deadlines: { requestMs: 1000 } },
    );
    const counts = count(await sendMany(100));
    // At 0, 0, 100, 300 and 700 ms, and not a hundred times.
    expect(service.peers.length).toBeLessThanOrEqual(5);
    expect(counts["retry stream-broken"]).toBe(service.peers.length);
    expect(counts["retry queue-timed-out"]).toBe(100 - service.peers.length);
  });

  test("is forgiven once it answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answers = [null, null, 201, null, null, 201];
    const { service, send } = await startRaw({
      onRequest: (peer, stream) => {
        const status = answers.shift() ?? null;
        if (status === null) peer.socket.destroy();
        else peer.answer(stream, status);
      },
    });
    const brokenOff = { kind: "retry", reason: "stream-broken" };
    expect(await send()).toMatchObject(brokenOff);
    expect(await send()).toMatchObject(brokenOff);
    const third = send();
    await vi.advanceTimersByTimeAsync(100);
    expect(await third).toMatchObject({ kind: "accepted" });
    // From here on no timer runs: only what waits for none gets through.
    expect(await send()).toMatchObject(brokenOff);
    expect(await send()).toMatchObject(brokenOff);
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(service.peers).toHaveLength(5);
  });

  test("after an answer each time, as it may, is connected to at once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { service, send } = await start({
      onPush: (push) => {
        accept(push);
        push.session.close();
      },
    });
    for (let turn = 0; turn < 10; turn += 1) {
      // No pause could end while no timer runs.
      expect(await send()).toEqual({ kind: "accepted", status: 201 });
      await setImmediate();
    }
    expect(service.connections()).toBeGreaterThan(1);
  });
});
