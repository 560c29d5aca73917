import { once } from "node:events";
import { createServer } from "node:https";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import { listen } from "./testing/push-service.ts";
import { settingsFrame, type RawPeer } from "./testing/raw-http2.ts";
import { accept, closed, count, sendingScene } from "./testing/scene.ts";
import type { TestSending } from "./testing/sending.ts";

const { certificates, start, startRaw, sendingTo } = sendingScene();

const withdrawn = { kind: "retry", reason: "withdrawn", notBefore: null, detail: "" };
/** RFC 9113, section 7. */
const codes = { none: 0, refused: 7 } as const;

/** One push for each id, all at once. */
function sendEach({ sender, push }: TestSending, ids: readonly number[]): Promise<Outcome>[] {
  return ids.map((id) => sender.send({ ...push, id }));
}

describe("of the pushes that are withdrawn", () => {
  test("none that waits for a stream begins; what is under way ends by itself, and what is not meant goes on", async () => {
    const started = await start({ settings: { maxConcurrentStreams: 2 } });
    const { service, sender } = started;
    const outcomes = sendEach(started, [1, 2, 3, 4, 5]);
    const first = await service.arrival(0);
    const second = await service.arrival(1);
    sender.withdraw(new Set([1, 3, 5, 99]));
    expect(await outcomes[2]).toEqual(withdrawn);
    expect(await outcomes[4]).toEqual(withdrawn);
    accept(first);
    second.stream.respond({ ":status": 410 }, { endStream: true });
    accept(await service.arrival(2));
    expect(await outcomes[0]).toMatchObject({ kind: "accepted" });
    expect(await outcomes[1]).toMatchObject({ kind: "gone" });
    expect(await outcomes[3]).toMatchObject({ kind: "accepted" });
    expect(service.received).toHaveLength(3);
  });

  test("none that waits for a connection begins", async () => {
    const { promise: connected, resolve } = Promise.withResolvers<RawPeer>();
    const started = await startRaw({
      greets: false,
      onConnection: resolve,
      onRequest: (peer, stream) => peer.answer(stream, 201),
    });
    const outcomes = sendEach(started, [1, 2]);
    const peer = await connected;
    started.sender.withdraw(new Set([1]));
    expect(await outcomes[0]).toEqual(withdrawn);
    peer.write(settingsFrame(100));
    expect(await outcomes[1]).toMatchObject({ kind: "accepted" });
    expect(peer.requests).toEqual([1]);
  });

  test("none that the push service refuses goes again", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<RawPeer>();
    const started = await startRaw({
      onRequest: (peer, stream) => {
        if (peer.requests.length === 2) resolve(peer);
        if (stream > 3) peer.answer(stream, 201);
      },
    });
    const outcomes = sendEach(started, [1, 2]);
    const peer = await arrived;
    started.sender.withdraw(new Set([1]));
    for (const stream of peer.requests) peer.reset(stream, codes.refused);
    expect(await outcomes[0]).toEqual(withdrawn);
    expect(await outcomes[1]).toMatchObject({ kind: "accepted" });
    expect(peer.requests).toEqual([1, 3, 5]);
  });

  test("none that GOAWAY leaves out goes again over another connection", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<RawPeer>();
    const started = await startRaw({
      onRequest: (peer, stream, connection) => {
        if (connection > 0) peer.answer(stream, 201);
        else if (peer.requests.length === 3) resolve(peer);
      },
    });
    const outcomes = sendEach(started, [1, 2, 3]);
    const peer = await arrived;
    started.sender.withdraw(new Set([1, 2]));
    peer.goAway(1, codes.none);
    peer.answer(1, 201);
    expect(await outcomes[0]).toMatchObject({ kind: "accepted" });
    expect(await outcomes[1]).toEqual(withdrawn);
    expect(await outcomes[2]).toMatchObject({ kind: "accepted" });
    expect(started.service.peers.map(({ requests }) => requests)).toEqual([[1, 3, 5], [1]]);
  });

  test("none that waits for a connection of HTTP/1.1 begins", async () => {
    const answers: ServerResponse[] = [];
    const server = createServer(certificates(), (request, response) => {
      request.resume().once("end", () => {
        answers.push(response);
        server.emit("held");
      });
    });
    const held = async (): Promise<void> => {
      while (answers.length < 8) await once(server, "held");
    };
    const started = sendingTo(await listen(server));
    const ids = Array.from({ length: 20 }, (_, id) => id);
    const outcomes = sendEach(started, ids);
    await held();
    started.sender.withdraw(new Set(ids));
    expect(await Promise.all(outcomes.slice(8))).toEqual(ids.slice(8).map(() => withdrawn));
    for (const response of answers) response.writeHead(201).end();
    expect(count(await Promise.all(outcomes))).toEqual({ accepted: 8, "retry withdrawn": 12 });
    expect(answers).toHaveLength(8);
  });
});

test("a connection that nothing waits for any more is closed when it has been idle", async () => {
  const { promise: connected, resolve } = Promise.withResolvers<RawPeer>();
  const options = { deadlines: { idleMs: 20 } };
  const started = await startRaw({ allowed: 0, onConnection: resolve }, options);
  const [outcome] = sendEach(started, [1]);
  const peer = await connected;
  // Acknowledged: the push waits for a stream now.
  await peer.allow(0);
  started.sender.withdraw(new Set([1]));
  expect(await outcome).toEqual(withdrawn);
  await closed(peer.socket);
  expect(peer.requests).toEqual([]);
});
