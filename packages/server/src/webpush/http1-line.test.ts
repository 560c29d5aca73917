import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, test } from "vitest";
import { listen } from "./testing/push-service.ts";
import { count, sendingScene, type SendingOptions } from "./testing/scene.ts";
import { playedHost } from "./testing/sending.ts";
import { makeSubscription } from "./testing/subscription.ts";

const { certificates, sendingTo } = sendingScene();

/** A push service that speaks HTTP/1.1 and nothing else. */
async function start(
  onRequest: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
  options: SendingOptions = {},
) {
  let connections = 0;
  const server: Server = createServer(certificates(), (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      onRequest(request, response, Buffer.concat(chunks));
    });
  });
  server.on("secureConnection", () => {
    connections += 1;
  });
  return { connections: () => connections, ...sendingTo(await listen(server), options) };
}

function accept(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(201).end();
}

describe("a push service without HTTP/2", () => {
  test("gets the same push by HTTP/1.1", async () => {
    const { promise: got, resolve } = Promise.withResolvers<{
      request: IncomingMessage;
      body: Buffer;
    }>();
    const { sender, push } = await start((request, response, body) => {
      accept(request, response);
      resolve({ request, body });
    });
    const subscription = makeSubscription();
    const { p256dh, auth } = subscription;
    const outcome = await sender.send({
      ...push,
      subscription: { ...push.subscription, p256dh, auth },
      topic: "news",
    });
    expect(outcome).toEqual({ kind: "accepted", status: 201 });
    const { request, body } = await got;
    expect(request).toMatchObject({ httpVersion: "1.1", method: "POST", url: "/fcm/send/1" });
    expect(request.headers).toMatchObject({
      host: playedHost,
      ttl: "60",
      topic: "news",
      "content-encoding": "aes128gcm",
      "content-length": String(body.length),
    });
    expect(request.headers.authorization).toMatch(/^vapid t=/);
    expect(subscription.open(body).toString()).toBe("hello");
  });

  test("is one that answers nothing by ALPN", async () => {
    const server = createTlsServer({ ...certificates() }, (socket) => {
      socket.once("data", () => {
        socket.end("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
      });
    });
    const { send } = sendingTo(await listen(server));
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
  });

  test("is sent to over one connection, one push after the other", async () => {
    const { send, connections } = await start(accept);
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await send()).toEqual({ kind: "accepted", status: 201 });
    }
    expect(connections()).toBe(1);
  });

  test("is sent to over a few connections at once, never two pushes on one", async () => {
    const perSocket = new Map<unknown, number>();
    let peak = 0;
    const { sendMany, connections } = await start(({ socket }, response) => {
      perSocket.set(socket, (perSocket.get(socket) ?? 0) + 1);
      peak = Math.max(peak, ...perSocket.values());
      setImmediate(() => {
        perSocket.set(socket, (perSocket.get(socket) ?? 0) - 1);
        response.writeHead(201).end();
      });
    });
    const outcomes = await sendMany(100);
    expect(outcomes.every(({ kind }) => kind === "accepted")).toBe(true);
    expect(peak).toBe(1);
    expect(connections()).toBeLessThanOrEqual(8);
  });

  test("may close after each answer", async () => {
    const { sendMany, connections } = await start((_request, response) => {
      response.writeHead(201, { connection: "close" }).end();
    });
    expect(count(await sendMany(40))).toEqual({ accepted: 40 });
    expect(connections()).toBe(40);
  });

  test("says Retry-After twice: what was said first counts", async () => {
    const nowMs = Date.UTC(2026, 10, 20, 12);
    const { send } = await start(
      ({ socket }) => {
        socket.end(
          "HTTP/1.1 503 No\r\nRetry-After: 30\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n",
        );
      },
      { now: () => nowMs },
    );
    expect(await send()).toMatchObject({ kind: "retry", notBefore: nowMs + 30_000 });
  });

  test("may answer without end: the beginning is read, and the connection dropped", async () => {
    const { promise: dropped, resolve } = Promise.withResolvers<void>();
    const { send } = await start((_request, response) => {
      response.writeHead(400);
      const flood = (): void => {
        while (!response.destroyed && response.write("x".repeat(1000)));
      };
      response.on("drain", flood);
      response.on("close", resolve);
      flood();
    });
    const detail = "x".repeat(200);
    expect(await send()).toEqual({
      kind: "rejected",
      reason: "request-refused",
      status: 400,
      detail,
    });
    await dropped;
  });

  test("may hang, and is given up", async () => {
    const { send } = await start(() => undefined, { deadlines: { requestMs: 500 } });
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
  });

  test("may drip: the status counts", async () => {
    const { send } = await start(
      (_request, response) => {
        response.writeHead(410);
        response.write("drip");
      },
      { deadlines: { requestMs: 500 } },
    );
    expect(await send()).toEqual({ kind: "gone", status: 410 });
  });

  test("may break the connection, and the next push opens another", async () => {
    let requests = 0;
    const { send, connections } = await start((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else accept(request, response);
    });
    expect(await send()).toMatchObject({ kind: "retry", reason: "stream-broken" });
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(connections()).toBe(2);
  });

  test("may talk nonsense", async () => {
    const { send } = await start(({ socket }) => {
      socket.write("220 mail.example ESMTP\r\n");
    });
    expect(await send()).toMatchObject({ kind: "retry", reason: "stream-broken" });
  });

  test("is let go at the end: what is under way ends first, and by force if need be", async () => {
    const { promise: held, resolve } = Promise.withResolvers<ServerResponse>();
    const soft = await start((_request, response) => {
      resolve(response);
    });
    const outcome = soft.send();
    const response = await held;
    const closing = soft.sender.close();
    response.writeHead(201).end();
    expect(await outcome).toMatchObject({ kind: "accepted" });
    await closing;

    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const hard = await start(
      () => {
        arrive();
      },
      { deadlines: { closeMs: 50 } },
    );
    const stuck = hard.send();
    await arrived;
    await hard.sender.close();
    expect(await stuck).toMatchObject({ kind: "retry", reason: "sender-closed" });
  });
});
