import { createServer as createTcpServer } from "node:net";
import { describe, expect, test } from "vitest";
import { startFullBacklog } from "./testing/full-backlog.ts";
import { listen } from "./testing/push-service.ts";
import { accept, closed, count, sendingScene } from "./testing/scene.ts";
import type { TestSending } from "./testing/sending.ts";

const { start, startRaw, sendingTo } = sendingScene();

describe("a push service that hangs", () => {
  test("before an answer: the push is given up, the session that still lives is kept", async () => {
    const { service, send } = await start(
      {
        onPush: (push) => {
          if (push.stream.id !== 1) accept(push);
        },
      },
      { deadlines: { requestMs: 500 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    const { stream } = await service.arrival(0);
    expect(stream.rstCode).toBe(8);
    expect(service.connections()).toBe(1);
  });

  test("for good: the session that answers no PING is dropped", async () => {
    const { service, send } = await startRaw({}, { deadlines: { requestMs: 500, connectMs: 500 } });
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
    const [first] = service.peers;
    if (first === undefined) throw new Error("no connection was made");
    await closed(first.socket);
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
    expect(service.peers).toHaveLength(2);
  });
});

describe("a connection that hangs while it is being made", () => {
  type Deadlines = { connectMs: number; requestMs?: number };

  /** Senders whose connections come only so far. */
  const hanging: readonly [string, (deadlines: Deadlines) => Promise<TestSending>][] = [
    [
      "in the name",
      async (deadlines) =>
        sendingTo(await listen(createTcpServer()), {
          deadlines,
          policy: { hosts: [], routes: [] },
          lookup: () => undefined,
        }),
    ],
    ["in TCP", async (deadlines) => sendingTo(await startFullBacklog(), { deadlines })],
    ["in TLS", async (deadlines) => sendingTo(await listen(createTcpServer()), { deadlines })],
    ["before SETTINGS", async (deadlines) => startRaw({ greets: false }, { deadlines })],
  ];

  test.each(hanging)("%s is given up at the connect deadline, for all who wait", async (_, to) => {
    const { sendMany } = await to({ connectMs: 200 });
    expect(count(await sendMany(5))).toEqual({ "retry connect-timed-out": 5 });
  });

  test.each(hanging)("%s for longer than a request may take ends it at its own", async (_, to) => {
    const { send, sender } = await to({ connectMs: 60_000, requestMs: 200 });
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    await sender.close();
  });
});
