import { describe, expect, test } from "vitest";
import { createConnections } from "./connections.ts";
import { checkEndpoint } from "./endpoint.ts";
import type { Outcome } from "./outcome.ts";
import { startPushService, type ReceivedPush } from "./testing/push-service.ts";
import { accept, closed, count, sendingScene } from "./testing/scene.ts";
import { playedHost } from "./testing/sending.ts";

const { certificates, start, atEnd } = sendingScene();

describe("sessions", () => {
  test("200 pushes at once and 20 one after the other go over one connection, each stream ending well", async () => {
    const { service, send, sendMany } = await start({ onPush: accept });
    expect(count(await sendMany(200))).toEqual({ accepted: 200 });
    for (let turn = 0; turn < 20; turn += 1) await send();
    expect(service.connections()).toBe(1);
    expect(service.received).toHaveLength(220);
    expect(service.received.every(({ stream }) => stream.rstCode === 0)).toBe(true);
  });

  test("that were idle are closed, and the next push opens a new one", async () => {
    const { service, send } = await start({ onPush: accept }, { deadlines: { idleMs: 20 } });
    await send();
    const { session } = await service.arrival(0);
    await closed(session);
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.connections()).toBe(2);
  });

  test("that end by themselves are replaced", async () => {
    const { service, send } = await start({ onPush: accept });
    await send();
    const { session } = await service.arrival(0);
    const end = closed(session);
    session.close();
    await end;
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.connections()).toBe(2);
  });
});

test("more pushes than may wait for one push service are turned away at once", async () => {
  const held: ReceivedPush[] = [];
  let holding = true;
  const { service, sendMany } = await start(
    {
      settings: { maxConcurrentStreams: 2 },
      onPush: (push) => {
        if (holding) held.push(push);
        else accept(push);
      },
    },
    { mostWaiting: 3 },
  );
  const first = sendMany(3);
  await service.arrival(1);
  // Two are under way and one waits: there is room for two more.
  const second = sendMany(5);
  holding = false;
  for (const push of held) accept(push);
  expect(count(await first)).toEqual({ accepted: 3 });
  expect(count(await second)).toEqual({ accepted: 2, "retry queue-full": 3 });
});

test("2,000 may wait for one push service, if nothing else is said", async () => {
  const { sender, push } = await start({ settings: { maxConcurrentStreams: 0 } });
  const send = (): Promise<Outcome> => sender.send({ ...push, plaintext: null });
  const outcomes = Promise.all(Array.from({ length: 2_010 }, send));
  expect(await send()).toMatchObject({ kind: "retry", reason: "queue-full" });
  await sender.close();
  expect(count(await outcomes)).toEqual({ "retry sender-closed": 2_000, "retry queue-full": 10 });
});

test("a request that cannot be written is the caller's error, and no other request's", async () => {
  const service = await startPushService({ certificates: certificates(), onPush: accept });
  const checked = checkEndpoint(`https://${playedHost}/1`, {
    hosts: [],
    routes: [{ host: playedHost, port: 443, address: "127.0.0.1", addressPort: service.port }],
  });
  if (!checked.ok) throw new Error(checked.reason);
  const connections = createConnections({ ca: certificates().ca });
  atEnd(() => connections.close().then(service.close));
  const exchange = (headers: Record<string, string>) =>
    connections.exchange(checked.target, { path: "/1", headers, body: null });
  const outcomes = Promise.allSettled([
    exchange({ ttl: "1" }),
    exchange({ "no name": "x" }),
    exchange({ ttl: "2" }),
  ]);
  expect(await outcomes).toMatchObject([
    { status: "fulfilled", value: { kind: "answered", status: 201 } },
    { status: "rejected" },
    { status: "fulfilled", value: { kind: "answered", status: 201 } },
  ]);
});
